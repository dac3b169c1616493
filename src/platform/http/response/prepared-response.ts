import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { acceptsGzip, MIN_COMPRESSED_BYTES } from './send-json.js';

export interface Variant {
  bytes: Buffer;
  etag: string;
}

/** Contains a response that is the same for all clients, uncompressed and, if it is large enough, compressed. */
export interface PreparedResponse {
  plain: Variant;
  gzip?: Variant;
}

/** Prepares a response, or returns `before` if nothing has changed. */
export function prepareResponse(bytes: Buffer, before?: PreparedResponse): PreparedResponse {
  if (before?.plain.bytes.equals(bytes)) return before;
  const gzip = bytes.length < MIN_COMPRESSED_BYTES ? undefined : toVariant(gzipSync(bytes));
  return { plain: toVariant(bytes), gzip };
}

/** Sends the response in an encoding that the client accepts, or 304. The caller sets the content type. */
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
  // The hash is a strong validator that is the same on every instance.
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, etag };
}
