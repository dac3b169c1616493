import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' };

/**
 * Streams text as a download, no faster than the client reads it. A failure before the first piece gets the usual error
 * response. A later one closes the connection, so that the client does not mistake a part for the whole file.
 */
export async function sendAttachment(
  response: Response,
  name: string,
  format: keyof typeof TYPES,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const stream = Readable.from(pieces);
  await once(stream, 'readable');
  // An abort ends the generator as `break` does, and is not an error. The pipeline would make the generator throw.
  const abort = () => void stream.destroy();
  // The end of the generator may fail after the client has left.
  stream.on('error', () => undefined);
  if (response.destroyed) return abort();
  response.once('close', abort);
  const day = new Date().toISOString().slice(0, 10);
  response.set({
    'Content-Type': TYPES[format],
    'Content-Disposition': `attachment; filename="${name}-${day}.${format}"`,
    'Cache-Control': 'no-store',
  });
  // The request pipeline and the stream add more than ten listeners, about which Node would warn.
  response.setMaxListeners(20);
  await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}
