import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, unique } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer, passwordHash, tokenOf } from '../support/api/factories.js';

let service: TestApp;

beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.stop());

const hashOf = (password: string) => passwordHash(service, password);

/** Returns the response body, which is the same for GET and POST. */
async function check(account: string, token: string) {
  const query = new URLSearchParams({ account, token }).toString();
  const got = await service.client.get(`/api/check?${query}`);
  const posted = await service.client.post('/api/check', { account, token });
  expect(got.status).toBe(posted.status);
  expect(got.body.error).toBe(posted.body.error);
  expect(got.headers.get('cache-control')).toBe('no-store');
  return posted.body;
}

describe('GET and POST /api/check', () => {
  it('reject every token that does not belong to the account', async () => {
    const player = await createPlayer(service);
    const other = await createPlayer(service, { password: hashOf('another') });
    const unusable = await createPlayer(service, { password: '!' });
    const pairs: Array<[string, string]> = [
      [player.account, hashOf('wrong')],
      [player.account, '0'.repeat(32)],
      [player.account, tokenOf(service, other)],
      [player.account, tokenOf(service, player, { ver: 1 })],
      [player.account, 'eyJ.garbage.'],
      [player.account, PASSWORD],
      [other.account, hashOf(PASSWORD)],
      [unusable.account, '!'],
      [unusable.account, '0'.repeat(32)],
      [unique('nobody'), hashOf(PASSWORD)],
    ];
    for (const [account, token] of pairs)
      expect((await check(account, token)).error, `${account} ${token}`).toBe('token_invalid');
  });

  it('never lock an account because of wrong tokens', async () => {
    const { account } = await createPlayer(service);
    for (let attempt = 0; attempt < 50; attempt++)
      await service.client.post('/api/check', { account, token: hashOf(`guess ${attempt}`) });
    expect((await check(account, hashOf(PASSWORD))).data.account).toBe(account);
    const login = await service.client.post('/api/login', { account, password: PASSWORD });
    expect(login.status).toBe(200);
  });

  it('reject a disabled account', async () => {
    const player = await createPlayer(service, { disabledAt: new Date() });
    for (const token of [hashOf(PASSWORD), tokenOf(service, player)])
      expect((await check(player.account, token)).error).toBe('account_disabled');
  });

  it('accept a POST with its parameters in the query, as the previous generation sent them', async () => {
    const { account } = await createPlayer(service);
    const path = `/api/check?account=${account}&token=${hashOf(PASSWORD)}`;
    const { body } = await service.client.send('POST', path);
    expect(body.data).toMatchObject({ account });
    const mixed = await service.client.post(path, { account });
    expect(mixed.body.details).toMatchObject([{ field: 'token' }]);
  });

  it('reject a query that repeats a parameter', async () => {
    const answer = await service.client.get('/api/check?account=a&account=b&token=x');
    expect(answer.body.error).toBe('invalid_request');
  });
});
