import type { Request } from 'express';

/** Bytes from which on an answer is compressed: below, it would save no packet. */
export const MIN_COMPRESSED_BYTES = 1024;

export function acceptsGzip(request: Request): boolean {
  // Most callers that are machines name no encoding; negotiating costs more than their answer.
  return (
    request.headers['accept-encoding'] !== undefined && request.acceptsEncodings('gzip') === 'gzip'
  );
}

/** The length of a compressed answer tells about its content (BREACH), so what bears a token is never compressed. */
export function isCompressible(body: object): boolean {
  const { data } = body as { data?: unknown };
  return !(typeof data === 'object' && data !== null && 'token' in data);
}
