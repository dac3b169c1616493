import { hash } from 'node:crypto';
import { encode } from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { Environment } from '../../src/platform/config/environment.js';
import { unique } from '../support/accounts.js';
import { createPlayer, passwordHash } from '../support/api/factories.js';
import type { TestApp } from '../support/api/app.js';
import { startProfileApp } from '../support/api/profile.js';
import { MailServer } from '../support/servers/smtp.js';
import { until } from '../support/until.js';

const TYPED = '密码123456';

let mail: MailServer;
let service: TestApp;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startProfileApp(mail);
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const key = () => service.app.get(Environment).PASSWORD_KEY;
const login = (account: string, from: string) =>
  service.client.post('/api/login', { account, password: TYPED }, { from });

describe('The first sign-in of an imported player', () => {
  it.each([
    ['without the key', () => hash('md5', TYPED)],
    ['of GBK bytes', () => hash('md5', encode(TYPED + key(), 'gbk'))],
    ['of GBK bytes without the key', () => hash('md5', encode(TYPED, 'gbk'))],
  ])('accepts a hash %s and stores the usual one', async (_, stored) => {
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

  it('is not announced by mail, and the next new address is', async () => {
    const email = `${unique('m')}@mail.example`;
    const password = passwordHash(service, TYPED);
    const { account } = await createPlayer(service, { email, password, imported: true });
    await login(account, '192.0.2.1');
    await login(account, '192.0.2.2');
    await until(() => mail.mailsTo(email).length > 0);
    expect(mail.mailsTo(email)).toHaveLength(1);
    expect(mail.mailsTo(email)[0]?.raw).toContain('192.0.2.2');
  });
});
