import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BannedPlayerSignOutService } from '../../../src/features/accounts/banned-player-sign-out.service.js';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { PlayerBan } from '../../../src/platform/auth/player-ban.entity.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { BrowserSession } from '../../support/api/browser-session.js';
import { banPlayer, createPlayer, passwordHash } from '../../support/api/factories.js';
import type { MailApp } from '../../support/api/mail-app.js';
import { profileRequests, startProfileApp } from '../../support/api/profile.js';
import { statementsOfRequests } from '../../support/api/request-statements.js';
import { until } from '../../support/until.js';

const DAY_MS = 86_400_000;
const SUPPORT = 'https://game.example/support';
let service: MailApp;

beforeAll(async () => {
  service = await startProfileApp();
});
afterAll(() => service.stop());

const { me, login, bind, fromTheForum } = profileRequests(() => service);
const bans = () => service.database.getRepository(PlayerBan);
async function applyBans(): Promise<void> {
  const { job } = service.app.get(BannedPlayerSignOutService);
  // A timer run that is in progress may have read the table before the ban.
  await job.running;
  await job.run();
}

const ban = (player: Pick<Player, 'id'>, columns?: Partial<PlayerBan>) =>
  banPlayer(service, player, columns);

async function signIn(email: string | null = null) {
  const player = await createPlayer(service, { email });
  const browser = BrowserSession.of(service);
  expect((await browser.signIn(player.account, PASSWORD)).status).toBe(200);
  return { player, browser };
}

describe('A player with a ban of scope all', () => {
  it("gets account_disabled with the ban's reason and end on every route that needs an account", async () => {
    const { token, name, connectId } = await fromTheForum();
    const id = Number((await service.database.query('SELECT MAX(id) AS id FROM player'))[0].id);
    const { player, browser } = await signIn(newMailbox());
    const end = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3 * DAY_MS);
    await ban(player, { until: end });
    await ban({ id }, { until: end });
    const check = (account: string, sent: string) =>
      service.client.post('/api/check', { account, token: sent });
    const answers = await Promise.all([
      login(player.account),
      login(player.email!),
      bind(connectId),
      service.client.get(`/api/link?connect_id=${connectId}`),
      browser.refresh(),
      me(browser.token),
      me(token),
      check(player.account, passwordHash(service, PASSWORD)),
      check(player.account, browser.token),
      check(name, token),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: 40301, error: 'account_disabled' });
      expect(body.ban).toEqual({ reason: 'botting', until: end.toISOString() });
    }
    const wrong = await login(player.account, 'a guess');
    expect(wrong.body).toMatchObject({ error: 'bad_credentials' });
    expect(wrong.body).not.toHaveProperty('ban');
  });

  it('sees the ban that lasts longest, and none that was lifted or has expired', async () => {
    const player = await createPlayer(service);
    const [now, long] = [Date.now(), new Date(Math.ceil(Date.now() / 1000) * 1000 + 9 * DAY_MS)];
    const past = { createdAt: new Date(now - 9 * DAY_MS), until: new Date(now - DAY_MS) };
    await ban(player, { ...past, reason: 'lapsed' });
    await ban(player, { reason: 'lifted', liftedAt: new Date() });
    expect((await login(player.account)).status).toBe(200);
    await ban(player, { reason: 'short', until: new Date(now + DAY_MS) });
    await ban(player, { reason: 'a | long one', until: long });
    const told = { reason: 'a | long one', until: long.toISOString() };
    expect((await login(player.account)).body.ban).toEqual(told);
    await ban(player, { reason: 'for good' });
    expect((await login(player.account)).body.ban).toEqual({ reason: 'for good', until: null });
  });

  it('can sign in again as soon as the ban expires', async () => {
    const player = await createPlayer(service);
    const id = await ban(player, { until: new Date(Date.now() + DAY_MS) });
    expect((await login(player.account)).body.error).toBe('account_disabled');
    const now = Date.now();
    await bans().update(id, { createdAt: new Date(now - DAY_MS), until: new Date(now - 1000) });
    expect((await login(player.account)).status).toBe(200);
  });

  it('sees the ban while it is in force and must sign in again after it ends', async () => {
    const { player, browser } = await signIn();
    const id = await ban(player);
    await applyBans();
    expect((await me(browser.token)).body.error).toBe('account_disabled');
    expect((await browser.copy().refresh()).body.error).toBe('account_disabled');
    await bans().update(id, { liftedAt: new Date() });
    expect((await me(browser.token)).body.error).toBe('unauthorized');
    expect((await browser.refresh()).body.error).toBe('session_ended');
    expect((await login(player.account)).status).toBe(200);
  });

  it('keeps a session that began after the ban was lifted, even if the ban is applied later', async () => {
    const { player, browser } = await signIn();
    await service.database.query(
      "INSERT INTO player_ban (player_id, reason) VALUES (?, 'botting')",
      [player.id],
    );
    const lift = 'UPDATE player_ban SET lifted_at = CURRENT_TIMESTAMP WHERE player_id = ?';
    await service.database.query(lift, [player.id]);
    const again = await login(player.account);
    await applyBans();
    expect((await me(again.body.data.token)).status).toBe(200);
    expect((await me(browser.token)).body.error).toBe('unauthorized');
  });

  it('is recognised as banned by the statement that reads the player, without another query', async () => {
    const { player, browser } = await signIn();
    const ask = async () => {
      await login(player.account);
      await me(browser.token);
      const token = passwordHash(service, PASSWORD);
      await service.client.post('/api/check', { account: player.account, token });
    };
    // On MySQL these statements bypass TypeORM.
    const statements = await statementsOfRequests(service, ask);
    expect(
      statements.filter((sql) => sql.startsWith('SELECT') && !sql.includes('player p')),
    ).toEqual([]);
  });
});

describe('The e-mail about a ban', () => {
  const textTo = async (email: string) => {
    await until(() => service.mail.mailsTo(email).length > 0);
    return (await PostalMime.parse(service.mail.mailsTo(email).at(-1)!.raw)).text!;
  };

  it('tells the owner the reason, the end and how to appeal, once', async () => {
    await service.changeSettings({ support_url: SUPPORT });
    const email = newMailbox();
    const player = await createPlayer(service, { email });
    await ban(player, { until: new Date('2099-12-01T10:00:00Z') });
    await Promise.all([applyBans(), service.app.get(BannedPlayerSignOutService).applyAll()]);
    await applyBans();
    const text = await textTo(email);
    for (const part of [player.account, 'botting', '2099-12-01 10:00 UTC', SUPPORT, '已被封禁'])
      expect(text).toContain(part);
    const later = await createPlayer(service, { email: newMailbox() });
    await ban(later, { scope: 'withdraw' });
    await applyBans();
    expect(await textTo(later.email!)).toMatch(
      /禁止提取[^]*can no longer withdraw[^]*永久 \/ permanent/,
    );
    expect(service.mail.mailsTo(email)).toHaveLength(1);
  });

  it('is followed, when the ban is lifted by any means, by an e-mail that mentions another ban in force', async () => {
    const email = newMailbox();
    const player = await createPlayer(service, { email });
    const id = await ban(player, { reason: 'botting' });
    await ban(player, { reason: 'gold selling', scope: 'withdraw' });
    await applyBans();
    await until(() => service.mail.mailsTo(email).length === 2);
    await service.database.query(
      'UPDATE player_ban SET lifted_at = CURRENT_TIMESTAMP WHERE id = ?',
      [id],
    );
    await Promise.all([applyBans(), service.app.get(BannedPlayerSignOutService).applyAll()]);
    await applyBans();
    await until(() => service.mail.mailsTo(email).length === 3);
    expect(await textTo(email)).toMatch(
      /封禁已解除[^]*另有一项限制[^]*was lifted[^]*Another ban is still in force[^]*botting/,
    );
    await bans().update({ playerId: player.id }, { liftedAt: new Date() });
    await applyBans();
    await until(() => service.mail.mailsTo(email).length === 4);
    const last = await textTo(email);
    expect(last).toMatch(/提取限制已解除[^]*from withdrawals was lifted[^]*gold selling/);
    expect(last).not.toContain('still in force');
  });

  it('is not sent for a ban that is over or already has applied_at', async () => {
    const [lifted, imported, last] = [newMailbox(), newMailbox(), newMailbox()];
    await ban(await createPlayer(service, { email: lifted }), { liftedAt: new Date() });
    await ban(await createPlayer(service, { email: imported }), { appliedAt: new Date() });
    await ban(await createPlayer(service, { email: last }));
    await applyBans();
    // The next run must not announce the end of a ban whose start was never announced.
    await applyBans();
    await textTo(last);
    expect([...service.mail.mailsTo(lifted), ...service.mail.mailsTo(imported)]).toEqual([]);
  });
});
