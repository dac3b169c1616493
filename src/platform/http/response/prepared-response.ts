import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { MIN_COMPRESSED_BYTES, acceptsGzip } from './compression.js';

export interface Variant {
  bytes: Buffer;
  etag: string;
}

/** An answer that is the same for everybody, created once per change: plain, and compressed if that helps. */
export interface PreparedResponse {
  plain: Variant;
  gzip?: Variant;
}

/** Returns `before` if nothing has changed. */
export function prepareResponse(bytes: Buffer, before?: PreparedResponse): PreparedResponse {
  if (before?.plain.bytes.equals(bytes)) return before;
  const gzip = bytes.length < MIN_COMPRESSED_BYTES ? undefined : toVariant(gzipSync(bytes));
  return { plain: toVariant(bytes), gzip };
}

/** Sends it in the caller's encoding, or 304. The type must be set. */
export function sendPreparedResponse(
  request: Request,
  response: Response,
  { plain, gzip }: PreparedResponse,
): void {
  const isCompressed = gzip !== undefined && acceptsGzip(request);
  const { bytes, etag } = isCompressed ? gzip : plain;
  if (gzip) response.vary('Accept-Encoding');
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('ETag', etag);
  response.send(bytes);
}

export function toVariant(bytes: Buffer): Variant {
  // Strong: the same for the same bytes, on every instance.
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, etag };
}
