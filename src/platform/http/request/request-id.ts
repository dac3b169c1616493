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
 * When a request began, from our own id. Undefined if somebody else created the id, such as nginx; wrong if a client
 * sent one that looks like ours.
 */
export function requestIdTime(id: string): Date | undefined {
  // The first letter is 0 until the year 3084.
  return isValid(id) && id.startsWith('0') ? new Date(decodeTime(id)) : undefined;
}

/** Unique and sorted by time. */
export function generateRequestId(): string {
  // Ids are not secret, and the package's own generator takes 100 µs because it asks the system for each letter.
  return ulid(undefined, Math.random);
}
