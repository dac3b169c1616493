import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlayerLink } from '../../../src/features/links/player-link.entity.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { createPlayer, passwordHash, tokenOf } from '../../support/api/factories.js';
import { inParallel } from '../../support/api/parallel.js';
import { storeCode } from '../../support/api/registration.js';
import { MailServer } from '../../support/servers/smtp.js';
import { until } from '../../support/until.js';

let mail: MailServer;
let service: TestApp;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startApp({
    env: { SMTP_URL: mail.url },
    settings: { rate_limit: { per_minute: 100_000 } },
  });
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const players = () => service.database.getRepository(Player);
const links = () => service.database.getRepository(PlayerLink);
const reset = (form: object) => service.client.post('/api/reset_password', form);
const login = (account: string, password: string) =>
  service.client.post('/api/login', { account, password });

async function newReset() {
  const email = newMailbox();
  const player = await createPlayer(service, { email });
  const code = await storeCode(service, email);
  return { player, form: { account: player.account, email, code, password: 'a new one' } };
}

async function noticeTo(mailbox: string): Promise<string> {
  let notice: Email | undefined;
  await until(async () => {
    const mails = await Promise.all(mail.mailsTo(mailbox).map(({ raw }) => PostalMime.parse(raw)));
    notice = mails.find(({ subject }) => subject?.includes('Your password was reset'));
    return notice !== undefined;
  });
  return notice?.text ?? '';
}

describe('POST /api/reset_password', () => {
  it('sets the password and revokes every earlier token', async () => {
    const { player, form } = await newReset();
    const { account } = player;
    const token = tokenOf(service, player);
    const answer = await reset({ ...form, account: account.toUpperCase() });
    expect(answer.body.data).toEqual({
      account,
      token: expect.any(String),
      expires_in: 86_400,
      bindings: [],
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const bindings = (sent: string) => service.client.get('/api/bind', { token: sent });
    expect((await bindings(answer.body.data.token)).status).toBe(200);
    expect((await bindings(token)).body.error).toBe('unauthorized');
    expect((await login(account, 'a new one')).status).toBe(200);
    expect((await login(account, PASSWORD)).body.error).toBe('bad_credentials');
    for (const old of [token, passwordHash(service, PASSWORD)]) {
      const { body } = await service.client.post('/api/check', { account, token: old });
      expect(body.error).toBe('token_invalid');
    }
    expect((await reset(form)).body.error).toBe('code_invalid');
  });

  it('rejects an e-mail address that differs only in an accent', async () => {
    const name = unique('jose');
    const { account } = await createPlayer(service, { email: `${name}é@mail.example` });
    const email = `${name}e@mail.example`;
    const code = await storeCode(service, email);
    const answer = await reset({ account, email, code, password: 'a new one' });
    expect(answer.body.error).toBe('code_invalid');
  });

  it('finds an e-mail address that the previous generation stored in capitals', async () => {
    const email = newMailbox();
    const { account } = await createPlayer(service, { email: email.toUpperCase() });
    const code = await storeCode(service, email);
    expect((await reset({ account, email, code, password: 'a new one' })).status).toBe(200);
  });

  it('lists the linked identities in the response and in an e-mail', async () => {
    const { player, form } = await newReset();
    const connectId = unique('f&');
    await links().insert({ playerId: player.id, provider: 'forum', connectId });
    const { body } = await reset(form);
    expect(body.data.bindings).toMatchObject([{ provider: 'forum', connect_id: connectId }]);
    const notice = await noticeTo(player.email!);
    expect(notice).toContain(`forum ${connectId}, 20`);
    // The time zone is UTC by default, so there is no second time in parentheses.
    expect(notice).toMatch(/ Time: \S+ \S+ UTC$/m);
  });

  it('removes the linked identities with drop_links', async () => {
    const { player, form } = await newReset();
    const connectId = unique('f');
    await links().insert({ playerId: player.id, provider: 'forum', connectId });
    expect((await reset({ ...form, drop_links: true })).body.data.bindings).toEqual([]);
    expect(await links().countBy({ playerId: player.id })).toBe(0);
    expect(await noticeTo(player.email!)).not.toContain('forum');
  });

  it('removes no linked identity if the request is rejected', async () => {
    const { player, form } = await newReset();
    await links().insert({ playerId: player.id, provider: 'forum', connectId: unique('f') });
    const refused = await reset({ ...form, password: PASSWORD, drop_links: true });
    expect(refused.body.error).toBe('invalid_request');
    expect(await links().countBy({ playerId: player.id })).toBe(1);
  });

  it('accepts a code once for parallel requests', async () => {
    const { player, form } = await newReset();
    const answers = await inParallel((index) => reset({ ...form, password: `password ${index}` }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await players().findOneByOrFail({ id: player.id })).ver).toBe(1);
  });
});
