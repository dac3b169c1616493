import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { PASSWORD } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { createPlayer, addServer, tokenOf } from '../../support/api/factories.js';

let service: TestApp;
let kept: Player;
let renamed: Player;

beforeAll(async () => {
  service = await startApp();
  kept = await createPlayer(service, { account: 'Twin', gameAccount: 'Twin' });
  renamed = await createPlayer(service, { account: 'twin~7', gameAccount: 'twin' });
  await alias('twin', renamed);
});
afterAll(() => service.stop());

async function alias(name: string, { id }: Player): Promise<void> {
  const sql = `INSERT INTO player_alias (name, player_id) VALUES ('${name}', ${id})`;
  await service.database.query(sql);
}

const hashOf = (password: string) =>
  hash('md5', password + service.app.get(Environment).PASSWORD_KEY);

async function loggedIn(account: string): Promise<string> {
  const { body } = await service.client.post('/api/login', { account, password: PASSWORD });
  return body.data?.account ?? body.error;
}

describe('POST /api/login', () => {
  it('ignores the case and trailing spaces of the account name', async () => {
    await createPlayer(service, { account: 'Padded' });
    await createPlayer(service, { account: '李四' });
    for (const name of ['Padded', 'Padded  ', 'PADDED '])
      expect(await loggedIn(name)).toBe('Padded');
    expect(await loggedIn('李四 ')).toBe('李四');
    expect(await loggedIn(' Padded')).toBe('bad_credentials');
  });

  it('finds a renamed player by the exact old spelling and another player by any other case', async () => {
    expect(await loggedIn('twin')).toBe('twin~7');
    expect(await loggedIn('twin ')).toBe('twin~7');
    for (const name of ['Twin', 'TWIN']) expect(await loggedIn(name)).toBe('Twin');
    expect(await loggedIn('twin~7')).toBe('twin~7');
  });

  it('finds each of several players whose old names differ only by width or accents', async () => {
    for (const [at, name] of ['josé', 'ＪＯＳＥ', 'ｊｏｓｅ'].entries()) {
      await alias(name, await createPlayer(service, { account: `${name}~${at}` }));
      expect(await loggedIn(name)).toBe(`${name}~${at}`);
    }
    expect(await loggedIn('jose')).toBe('bad_credentials');
  });
});

describe('POST /api/check', () => {
  const checked = async (account: string, password: string) => {
    const { body } = await service.client.post('/api/check', { account, token: hashOf(password) });
    return body.data?.account ?? body.error;
  };

  it('matches many parallel requests, each to the right player or to none', async () => {
    const password = (name: string) => `password of ${name}`;
    const create = (account: string) =>
      createPlayer(service, { account, password: hashOf(password(account)) });
    await create('Brother');
    await alias('brother', await create('brother~1'));
    await alias('BROTHER', await create('brother~2'));
    await alias('andré', await create('andré~3'));
    const expected = [
      ['brother', 'brother~1'],
      ['BROTHER', 'brother~2'],
      ['brother ', 'brother~1'],
      ['andré', 'andré~3'],
      ['BROTHEr', 'Brother'],
      ['Brother~1', 'brother~1'],
    ] as const;
    const right = expected.map(([name, found]) => checked(name, password(found)));
    const nobody = ['andre', 'brothe', 'brother~', 'brother'].map((name) =>
      checked(name, password('Brother')),
    );
    expect(await Promise.all(right)).toEqual(expected.map(([, found]) => found));
    expect(await Promise.all(nobody)).toEqual(Array(4).fill('token_invalid'));
  });
});

describe('The game account of a renamed player', () => {
  it('is returned to the game client and accepted with its token', async () => {
    const { id } = await addServer(service.database);
    const request = { token: tokenOf(service, renamed) };
    const entered = await service.client.post('/api/enter_game', { server_id: id }, request);
    expect(entered.body.data).toMatchObject({ account: 'twin' });
    const { token } = entered.body.data;
    for (const account of ['twin', 'twin ', 'twin~7']) {
      const { body } = await service.client.post('/api/check', { account, token });
      expect(body.data).toEqual({ account: 'twin', format: 'jwt' });
    }
    const { body } = await service.client.post('/api/check', { account: 'Twin', token });
    expect(body.error).toBe('token_invalid');
  });

  it('is used by game servers for binding and lookups', async () => {
    const body = { account: 'twin ', connect_id: '77' };
    const bound = await service.client.post('/api/bind_account', body);
    expect(bound.body.data).toEqual({ account: 'twin', connect_id: '77' });
    const found = await service.client.get('/api/link?connect_id=77');
    expect(found.body.data).toEqual({ account: 'twin' });
    const links = await service.database.query('SELECT player_id FROM player_connect_threeparty');
    expect(links).toEqual([{ player_id: renamed.id }]);
    expect(kept.id).not.toBe(renamed.id);
  });
});
