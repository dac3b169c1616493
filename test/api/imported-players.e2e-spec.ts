import { hash, randomUUID } from 'node:crypto';
import { encode } from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { Environment } from '../../src/platform/config/environment.js';
import { DEFAULT_SETTINGS } from '../../src/platform/config/settings.schema.js';
import { unique } from '../support/accounts.js';
import { createPlayer, passwordHash } from '../support/api/factories.js';
import type { MailApp } from '../support/api/mail-app.js';
import { startProfileApp } from '../support/api/profile.js';
import { until } from '../support/until.js';

const TYPED = '密码123456';

let service: MailApp;

beforeAll(async () => {
  service = await startProfileApp();
});
afterAll(() => service.stop());

const key = () => service.app.get(Environment).PASSWORD_KEY;
const login = (account: string, from: string) =>
  service.client.post('/api/login', { account, password: TYPED }, { from });

describe("An imported player's first sign-in", () => {
  it.each([
    ['without the key', () => hash('md5', TYPED)],
    ['of GBK bytes', () => hash('md5', encode(TYPED + key(), 'gbk'))],
    ['of GBK bytes without the key', () => hash('md5', encode(TYPED, 'gbk'))],
  ])('accepts a hash %s and stores a standard one', async (_, stored) => {
    const password = stored();
    const { id, account } = await createPlayer(service, { password, imported: true });
    const other = await createPlayer(service, { password });
    expect((await login(account, '192.0.2.1')).status).toBe(200);
    expect((await login(account, '192.0.2.1')).status).toBe(200);
    expect((await login(other.account, '192.0.2.1')).body.error).toBe('bad_credentials');
    const [row] = await service.database
      .getRepository(Player)
      .find({ where: { id }, select: { password: true, imported: true } });
    expect(row).toEqual({ password: passwordHash(service, TYPED), imported: false });
  });

  it('triggers no new-address e-mail, but a later sign-in from another address does', async () => {
    const email = `${unique('m')}@mail.example`;
    const password = passwordHash(service, TYPED);
    const { account } = await createPlayer(service, { email, password, imported: true });
    await login(account, '192.0.2.1');
    await login(account, '192.0.2.2');
    await until(() => service.mail.mailsTo(email).length > 0);
    expect(service.mail.mailsTo(email)).toHaveLength(1);
    expect(service.mail.mailsTo(email)[0]?.raw).toContain('192.0.2.2');
  });
});

describe('GET /api/check for an imported player', () => {
  const GAME_SERVER = '127.0.0.1';
  const newPlayer = () => createPlayer(service, { password: hash('md5', TYPED), imported: true });
  const check = async (account: string, token: string, from: string) => {
    const query = new URLSearchParams({ account, token }).toString();
    const { body } = await service.client.get(`/api/check?${query}`, { from });
    return body.error ?? 'ok';
  };
  const guess = (account: string, from: string) => check(account, hash('md5', randomUUID()), from);
  const { login_throttle } = DEFAULT_SETTINGS;

  it.each([
    ['one address', login_throttle.account_and_address.failures, () => '192.0.2.50'],
    ['a game server', login_throttle.account_and_address.failures, () => GAME_SERVER],
    ['many addresses', login_throttle.account.failures, (n: number) => `198.51.100.${n}`],
  ])("rejects the password's hash after guesses from %s", async (_, most, from) => {
    const { account } = await newPlayer();
    expect(await check(account, hash('md5', TYPED), from(0))).toBe('ok');
    const guesses = Array.from({ length: most }, (_each, n) => guess(account, from(n)));
    expect(new Set(await Promise.all(guesses))).toEqual(new Set(['token_invalid']));
    expect(await check(account, hash('md5', TYPED), from(200))).toBe('token_invalid');
  });

  it('accepts the token from the first sign-in, regardless of earlier guesses', async () => {
    const { account } = await newPlayer();
    for (let n = 0; n < 6; n++) await guess(account, GAME_SERVER);
    expect((await login(account, '192.0.2.51')).status).toBe(200);
    expect(await check(account, passwordHash(service, TYPED), GAME_SERVER)).toBe('ok');
  });

  it('does not lock out a game server after guesses at many players', async () => {
    const { failures } = login_throttle.address;
    for (let n = 0; n < failures + 2; n++) await guess((await newPlayer()).account, GAME_SERVER);
    const { account } = await newPlayer();
    expect(await check(account, hash('md5', TYPED), GAME_SERVER)).toBe('ok');
  });
});
