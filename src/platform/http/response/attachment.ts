import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' };

/** Streams text as a download, no faster than the client reads it. */
export async function sendAttachment(
  response: Response,
  name: string,
  format: keyof typeof TYPES,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  response.set({
    'Content-Type': TYPES[format],
    'Content-Disposition': `attachment; filename="${name}-${day}.${format}"`,
    'Cache-Control': 'no-store',
  });
  // The request pipeline and the stream add more than ten listeners, at which Node would warn.
  response.setMaxListeners(20);
  await pipeline(Readable.from(pieces), response);
}
