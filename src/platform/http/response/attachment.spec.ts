import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { describe, expect, it } from 'vitest';
import { sendAttachment } from './attachment.js';

/** Serves one download, lets `request` fetch it, and returns how sending it ended. */
async function download<T>(
  pieces: (response: Response) => AsyncIterable<string>,
  request: (url: string) => Promise<T>,
): Promise<{ answer: T | Error; failure?: unknown }> {
  const app = express();
  const sent = new Promise<unknown>((resolve) => {
    app.use((_request, response) => {
      const sending = sendAttachment(response, 'list', 'csv', pieces(response));
      sending.then(resolve, (error) => {
        if (response.headersSent) response.destroy();
        else response.status(503).end();
        resolve(error);
      });
    });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await request(`http://127.0.0.1:${port}`).catch((error: Error) => error);
  const failure = await sent;
  server.closeAllConnections();
  server.close();
  return { answer, failure };
}

describe('sendAttachment', () => {
  it('sets no header if the first piece fails, so that the error can be sent', async () => {
    const { answer, failure } = await download(async function* () {
      yield await Promise.reject<string>(new Error('no connection'));
    }, fetch);
    expect(failure).toEqual(new Error('no connection'));
    expect(answer).toMatchObject({ status: 503 });
    expect((answer as globalThis.Response).headers.get('content-disposition')).toBeNull();
  });

  it('breaks the connection if a later piece fails, so that the file does not look complete', async () => {
    const { answer, failure } = await download(
      async function* () {
        yield 'first';
        throw new Error('no connection');
      },
      async (url) => (await fetch(url)).text(),
    );
    expect(failure).toEqual(new Error('no connection'));
    expect(answer).toBeInstanceOf(TypeError);
  });

  it('ends without an error if the client aborts', async () => {
    let end = 'none';
    const { failure } = await download(
      async function* () {
        try {
          for (;;) yield 'x'.repeat(100_000);
        } catch {
          end = 'thrown';
        } finally {
          if (end === 'none') end = 'returned';
        }
      },
      async (url) => {
        const aborter = new AbortController();
        await fetch(url, { signal: aborter.signal });
        aborter.abort();
      },
    );
    expect(failure).toBeUndefined();
    expect(end).toBe('returned');
  });

  it('survives a generator that fails at its end after the client aborted before the first piece', async () => {
    const aborter = new AbortController();
    const { failure } = await download(
      async function* (response) {
        try {
          aborter.abort();
          await once(response, 'close');
          yield 'first';
        } finally {
          await Promise.reject(new Error('no connection'));
        }
      },
      (url) => fetch(url, { signal: aborter.signal }),
    );
    expect(failure).toBeUndefined();
  });
});
