import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendJson } from './send-json.js';

const LONG = 'x'.repeat(2000);
const BODIES: Record<string, object> = {
  long: { data: { text: LONG } },
  short: { data: { text: 'x' } },
  token: { data: { token: 't', text: LONG } },
};
const app = express();
app.get('/:kind', ({ params }, response: Response) => sendJson(response, BODIES[params.kind]!));
const server = createServer(app);
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => new Promise((done) => server.close(done)));

const ask = (kind: string, encoding: string) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${kind}`, {
    headers: { 'Accept-Encoding': encoding },
  });

describe('sendJson', () => {
  it.each([
    ['long', 'gzip, br', 'gzip'],
    ['long', 'identity', null],
    ['long', 'gzip;q=0', null],
    ['short', 'gzip', null],
    ['token', 'gzip', null],
  ])(
    'sends a %s body for Accept-Encoding %s with Content-Encoding %s',
    async (kind, asked, encoding) => {
      const answer = await ask(kind, asked);
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('vary')).toBe(kind === 'long' ? 'Accept-Encoding' : null);
      expect(await answer.json()).toEqual(BODIES[kind]);
    },
  );
});
