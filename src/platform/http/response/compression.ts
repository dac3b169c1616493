import type { Request } from 'express';

/** Smaller answers are not compressed: it would save no packet. */
export const MIN_COMPRESSED_BYTES = 1024;

export function acceptsGzip(request: Request): boolean {
  // Most programs name no encoding; negotiating costs more than their answer.
  return (
    request.headers['accept-encoding'] !== undefined && request.acceptsEncodings('gzip') === 'gzip'
  );
}

/** The length of a compressed answer reveals its content (BREACH), so answers with a token are never compressed. */
export function isCompressible(body: object): boolean {
  const { data } = body as { data?: unknown };
  return !(typeof data === 'object' && data !== null && 'token' in data);
}
