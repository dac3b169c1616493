import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PlayerLookup } from '../../../src/features/accounts/credentials.service.js';
import { PASSWORD } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { createPlayer, passwordHash, tokenOf } from '../../support/api/factories.js';

let service: TestApp;

beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.stop());

const check = async (account: string, token: string) =>
  (await service.client.post('/api/check', { account, token })).body;

describe('POST /api/check', () => {
  it("accepts a game client's md5 token and a JWT, regardless of the case of the account name", async () => {
    const player = await createPlayer(service);
    const { account } = player;
    const md5 = passwordHash(service, PASSWORD);
    for (const name of [account, account.toUpperCase()]) {
      expect((await check(name, md5)).data).toEqual({ account, format: 'md5' });
      expect((await check(name, tokenOf(service, player))).data).toEqual({
        account,
        format: 'jwt',
      });
    }
    expect((await check(account, md5.toUpperCase())).data).toEqual({ account, format: 'md5' });
  });

  it('reads as many rows for an unknown account as for a known one', async () => {
    const { account } = await createPlayer(service);
    // This method is private, but the route reads its rows through it on every database.
    const read = vi.spyOn(
      PlayerLookup.prototype as unknown as { read(): Promise<unknown[]> },
      'read',
    );
    const rowsRead = async (name: string) => {
      read.mockClear();
      expect((await check(name, passwordHash(service, 'x'))).error).toBe('token_invalid');
      expect(read).toHaveBeenCalledTimes(1);
      return (await read.mock.results[0]!.value).length;
    };
    // The account's own prefix directly precedes the account in the index.
    const prefix = account.slice(0, -1);
    expect(await rowsRead(account)).toBe(1);
    expect(await rowsRead(prefix)).toBe(1);
    read.mockRestore();
    expect((await check(prefix, passwordHash(service, PASSWORD))).error).toBe('token_invalid');
  });
});
