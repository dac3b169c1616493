import { raw, type Request, type Response } from 'express';

const readers = new Map<number, ReturnType<typeof raw>>();

/** The body's bytes exactly as sent, for signatures; a compressed body is refused. Read once, when a guard asks. */
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
