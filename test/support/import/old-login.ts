import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { OldGeneration } from './old-generation.js';

/** Stands in for the login of the previous generation: `POST` with account, password and the client's character set. */
export async function startOldLogin(old: OldGeneration) {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { account, password, charset } = JSON.parse(await text(request));
    response.statusCode = (await old.logsIn(account, password, charset)) ? 200 : 403;
    response.end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    async logsIn(account: string, password: string, charset?: string): Promise<boolean> {
      const body = JSON.stringify({ account, password, charset });
      return (await fetch(url, { method: 'POST', body })).ok;
    },
    stop: () => server.close(),
  };
}
