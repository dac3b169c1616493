// A disk of its own for the account database, which can be full. Only root may mount one.
import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { temporaryFolder } from './support.mjs';

const ROOMY = 1 << 30;

export class SmallDisk {
  #isMounted = true;

  constructor() {
    this.folder = temporaryFolder('disk');
    mount('-t', 'tmpfs', '-o', `size=${ROOMY}`, 'tmpfs', this.folder);
    process.on('exit', () => this.unmount());
  }

  /** Not a byte is left, from now on. */
  fill() {
    const { blocks, bfree, bsize } = statfsSync(this.folder);
    mount('-o', `remount,size=${(blocks - bfree) * bsize}`, this.folder);
  }

  makeRoom() {
    mount('-o', `remount,size=${ROOMY}`, this.folder);
  }

  unmount() {
    if (!this.#isMounted) return;
    this.#isMounted = false;
    execFileSync('umount', ['--lazy', this.folder]);
  }
}

export function mayMount() {
  return process.getuid?.() === 0;
}

function mount(...args) {
  execFileSync('mount', args);
}
