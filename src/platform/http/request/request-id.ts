import { randomFillSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const WELL_FORMED = /^[A-Za-z0-9_-]{1,64}$/;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
// Their first letter is 0 until the year 3084.
const ULID = new RegExp(`^0[${CROCKFORD}]{25}$`);
const RANDOM_CHARS = 16;
// Filled for 256 ids at a time: the call costs more than the bytes.
const randomness = Buffer.alloc(256 * RANDOM_CHARS);
let used = randomness.length;

/** A well-formed incoming `X-Request-Id` is kept. */
export function resolveRequestId({ 'x-request-id': given }: IncomingHttpHeaders): string {
  return typeof given === 'string' && isRequestId(given) ? given : generateRequestId();
}

export function isRequestId(text: string): boolean {
  return WELL_FORMED.test(text);
}

/**
 * When the request of one of our own ids began. Undefined where somebody else gave the id, such as nginx; and wrong where
 * a client gave one that looks like ours.
 */
export function requestIdTime(id: string): Date | undefined {
  if (!ULID.test(id)) return undefined;
  let time = 0;
  for (const letter of id.slice(0, 10)) time = time * 32 + CROCKFORD.indexOf(letter);
  return new Date(time);
}

/** A ULID: unique, and sorts by time. */
export function generateRequestId(): string {
  let time = Date.now();
  let id = '';
  for (let place = 0; place < 10; place++) {
    id = CROCKFORD[time % 32] + id;
    time = Math.floor(time / 32);
  }
  for (const byte of takeRandomBytes()) id += CROCKFORD[byte & 31];
  return id;
}

function takeRandomBytes(): Buffer {
  if (used === randomness.length) {
    randomFillSync(randomness);
    used = 0;
  }
  return randomness.subarray(used, (used += RANDOM_CHARS));
}
