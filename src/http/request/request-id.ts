import { randomFillSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const WELL_FORMED = /^[A-Za-z0-9_-]{1,64}$/;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_PLACES = 16;
// Filled for 256 ids at a time: the call costs more than the bytes.
const randomness = Buffer.alloc(256 * RANDOM_PLACES);
let used = randomness.length;

/** A well-formed incoming `X-Request-Id` is kept. */
export function requestIdOf({ 'x-request-id': given }: IncomingHttpHeaders): string {
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : newRequestId();
}

/** A ULID: unique, and sorts by time. */
export function newRequestId(): string {
  let time = Date.now();
  let id = '';
  for (let place = 0; place < 10; place++) {
    id = CROCKFORD[time % 32] + id;
    time = Math.floor(time / 32);
  }
  for (const byte of randomPlaces()) id += CROCKFORD[byte & 31];
  return id;
}

function randomPlaces(): Buffer {
  if (used === randomness.length) {
    randomFillSync(randomness);
    used = 0;
  }
  return randomness.subarray(used, (used += RANDOM_PLACES));
}
