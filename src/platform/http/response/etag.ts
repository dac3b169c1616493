import { createHash } from 'node:crypto';

/** A strong ETag: the same for the same bytes, on every instance. */
export function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
