import type { IncomingHttpHeaders } from 'node:http';
import { decodeTime, isValid, ulid } from 'ulid';

const WELL_FORMED = /^[A-Za-z0-9_-]{1,64}$/;

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
  // The first letter is 0 until the year 3084.
  return isValid(id) && id.startsWith('0') ? new Date(decodeTime(id)) : undefined;
}

/** Unique, and sorts by time. */
export function generateRequestId(): string {
  // Ids are no secret, and the package's own generator costs 100 µs: it asks the system for each letter.
  return ulid(undefined, Math.random);
}
