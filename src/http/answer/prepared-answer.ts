import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { COMPRESSED_FROM, takesGzip } from './compression.js';
import { entityTag } from './entity-tag.js';

interface Variant {
  bytes: Buffer;
  etag: string;
}

/** An answer that is the same for everybody, made once per change: as it is, and compressed where that pays. */
export interface PreparedAnswer {
  plain: Variant;
  gzip?: Variant;
}

/** Returns `before` if nothing has changed. */
export function prepareAnswer(bytes: Buffer, before?: PreparedAnswer): PreparedAnswer {
  if (before?.plain.bytes.equals(bytes)) return before;
  const gzip = bytes.length < COMPRESSED_FROM ? undefined : toVariant(gzipSync(bytes));
  return { plain: toVariant(bytes), gzip };
}

/** Sends it in the encoding that the caller takes, or 304. The type must be set. */
export function sendPrepared(
  request: Request,
  response: Response,
  { plain, gzip }: PreparedAnswer,
): void {
  const isCompressed = gzip !== undefined && takesGzip(request);
  const { bytes, etag } = isCompressed ? gzip : plain;
  if (gzip) response.vary('Accept-Encoding');
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('ETag', etag);
  response.send(bytes);
}

function toVariant(bytes: Buffer): Variant {
  return { bytes, etag: entityTag(bytes) };
}
