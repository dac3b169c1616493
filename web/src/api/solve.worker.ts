import type { Challenge } from './challenge';
import { sha256 } from './sha256';

/** Finds the number below `maxnumber` whose hash with the salt is `challenge`, without blocking the page. */
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  const { challenge, salt, maxnumber } = data;
  const wanted = challenge.match(/.{8}/g)!.map((word) => parseInt(word, 16) | 0);
  const isWanted = (hash: Int32Array) => wanted.every((word, at) => hash[at] === word);
  let number = 0;
  while (number < maxnumber && !isWanted(sha256(salt + number))) number++;
  postMessage(number);
});
