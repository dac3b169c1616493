import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { findTokensRejectedOverHttp, requireInstance } from './verify-http.js';

let url: string;

/** Where nobody listens any more. */
beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.close();
  await once(server, 'close');
});

describe('Verification over HTTP', () => {
  it('fails at once when no instance answers', async () => {
    await expect(requireInstance(url)).rejects.toThrow(
      `no instance answers at --url ${url}: ECONNREFUSED`,
    );
  });

  it('counts the players that could not sign in because the instance went away', async () => {
    const sample = [{ name: 'old', password: 'a'.repeat(32), ban: null }];
    expect(await findTokensRejectedOverHttp(url, sample)).toEqual(['old: ECONNREFUSED']);
  });
});
