import { raw, type Request, type Response } from 'express';

const readers = new Map<number, ReturnType<typeof raw>>();

/**
 * The bytes of the body, read once and only when a guard asks: a refused caller cannot make us read or parse. They are
 * those that were sent, which is what a signature is over; a compressed body is refused.
 */
export async function readRawBody(
  request: Request,
  response: Response,
  limit: number,
): Promise<Buffer> {
  if (!Buffer.isBuffer(request.body)) {
    let reader = readers.get(limit);
    if (!reader) readers.set(limit, (reader = raw({ limit, type: () => true, inflate: false })));
    await new Promise<void>((done, fail) => {
      reader(request, response, (error?: unknown) => (error ? fail(error) : done()));
    });
    if (!Buffer.isBuffer(request.body)) request.body = Buffer.alloc(0);
  }
  return request.body as Buffer;
}
