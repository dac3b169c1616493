import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ServersService } from '../../../src/features/servers/servers.service.js';
import { GameAccountService } from '../../../src/features/withdraw/game/game-account.service.js';
import { GameDatabase } from '../../../src/features/withdraw/game/game-database.js';
import { WithdrawalMail } from '../../../src/features/withdraw/withdrawal-mail.js';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { addAuthenticator, secondStep, ticketFor } from '../../support/api/authenticator.js';
import { BrowserSession, cookieOf } from '../../support/api/browser-session.js';
import { createPlayer } from '../../support/api/factories.js';
import { inParallel } from '../../support/api/parallel.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { profileRequests, RELAXED } from '../../support/api/profile.js';
import { statementsOfRequests } from '../../support/api/request-statements.js';
import { expectLedgersToAgree, GM_TIMEOUT, Withdrawals } from '../../support/api/withdrawals.js';
import { MailServer } from '../../support/servers/smtp.js';
import { until } from '../../support/until.js';

const MINUTES = 60;
const HOURS = 60 * MINUTES;
const NEW = 'a new password';
let w: Withdrawals;
let mail: MailServer;

beforeAll(async () => {
  mail = await MailServer.start();
  w = await Withdrawals.start({}, { SMTP_URL: mail.url });
  await w.service.changeSettings({ ...RELAXED, withdraw: GM_TIMEOUT });
});
afterEach(() => expectLedgersToAgree(w.service.database, w.game.ledger));
afterAll(async () => {
  await w.stop();
  await mail.stop();
});

const { post, login, codeFor } = profileRequests(() => ({ ...w.service, mail }));

interface Owner {
  account: string;
  email: string;
  token: string;
}

/** Creates a player with an e-mail address, a role and a session. */
async function signedIn() {
  const { server } = w;
  const player = await createPlayer(w.service, { email: newMailbox() });
  const role = await w.world.createRole(server, { account: player.account, balance: 1000 });
  const { token } = (await login(player.account)).body.data;
  return { player, token, server, role };
}
const reset = async (account: string, email: string) => {
  const form = { account, email, code: await codeFor(email), password: NEW };
  return (await post('reset_password', form)).body.data.token;
};

describe('POST /api/game/withdraw', () => {
  it('requires a sign-in or a confirmed password within withdraw.proof_minutes', async () => {
    const mine = await signedIn();
    await withClockAhead(59 * MINUTES, async () =>
      expect((await w.withdraw(mine, 100)).status).toBe(200),
    );
    await withClockAhead(61 * MINUTES, async () => {
      const refused = await w.withdraw(mine, 100);
      expect([refused.status, refused.body.code]).toEqual([401, 40105]);
      expect(await w.rows({ roleId: mine.role })).toHaveLength(1);
      const wrong = await post('session/confirm', { password: 'wrong' }, mine.token);
      expect(wrong.body.error).toBe('bad_credentials');
      expect((await w.withdraw(mine, 100)).body.error).toBe('sign_in_again');
      await post('session/confirm', { password: PASSWORD }, mine.token);
      expect((await w.withdraw(mine, 100)).status).toBe(200);
    });
  });

  it("requires an account's second factor, and is paused after its removal", async () => {
    const mine = await signedIn();
    const { token } = mine;
    // The clock is frozen so that the codes' time steps are known.
    await withClockAhead(0, async () => {
      const app = await addAuthenticator(w.service.client, token);
      // Neither the session, nor setting up the app, nor the password counts as a use of the second factor.
      expect((await w.withdraw(mine, 100)).body.error).toBe('sign_in_again');
      await post('session/confirm', { password: PASSWORD }, token);
      expect((await w.withdraw(mine, 100)).body.error).toBe('sign_in_again');
      await post('session/confirm', { code: app.code() }, token);
      expect((await w.withdraw(mine, 100)).status).toBe(200);
      const ticket = await ticketFor(w.service.client, mine.player.account);
      const signedInAgain = await secondStep(w.service.client, ticket, { code: app.code(1) });
      const again = { ...mine, token: signedInAgain.body.data.token };
      expect((await w.withdraw(again, 100)).status).toBe(200);
      await w.service.client.send('DELETE', '/api/account/totp', { token });
      expect((await w.withdraw(mine, 100)).body.error).toBe('withdrawal_paused');
    });
  });

  it('does not count the use of a session cookie as authentication', async () => {
    const mine = await signedIn();
    const browser = BrowserSession.of(w.service);
    await browser.signIn(mine.player.account, PASSWORD);
    // The cookie may be a copy, however recently the owner signed in.
    const thief = browser.copy();
    expect((await browser.refresh()).status).toBe(200);
    const { token } = browser;
    expect((await w.withdraw({ ...mine, token }, 100)).body.error).toBe('sign_in_again');
    await post('session/confirm', { password: PASSWORD }, token);
    expect((await w.withdraw({ ...mine, token }, 100)).status).toBe(200);
    expect((await thief.refresh()).status).toBe(200);
    const stolen = await w.withdraw({ ...mine, token: thief.token }, 100);
    expect(stolen.body.error).toBe('sign_in_again');
  });

  it("does not inherit a session's second factor through its cookie", async () => {
    const mine = await signedIn();
    await withClockAhead(0, async () => {
      const app = await addAuthenticator(w.service.client, mine.token);
      const { account } = mine.player;
      const ticket = await ticketFor(w.service.client, account, { remember: true });
      const answer = await secondStep(w.service.client, ticket, { code: app.code() });
      const proved = { ...mine, token: answer.body.data.token };
      expect((await w.withdraw(proved, 100)).status).toBe(200);
      const thief = BrowserSession.of(w.service);
      thief.cookie = cookieOf(answer)!;
      expect((await thief.refresh()).status).toBe(200);
      const stolen = await w.withdraw({ ...mine, token: thief.token }, 100);
      expect(stolen.body.error).toBe('sign_in_again');
    });
  });

  it('accepts a repeat without new authentication, and a rejected key after new authentication', async () => {
    const mine = await signedIn();
    const [first, second] = [randomUUID(), randomUUID()];
    const { body } = await w.withdraw(mine, 100, { key: first });
    await withClockAhead(61 * MINUTES, async () => {
      const repeat = await w.withdraw(mine, 100, { key: first });
      expect(repeat.headers.get('idempotency-hit')).toBe('true');
      expect(repeat.body.data).toEqual(body.data);
      expect((await w.withdraw(mine, 100, { key: second })).body.error).toBe('sign_in_again');
      await post('session/confirm', { password: PASSWORD }, mine.token);
      const proved = await w.withdraw(mine, 100, { key: second });
      expect([proved.status, proved.headers.get('idempotency-hit')]).toEqual([200, null]);
    });
  });

  it('requires no recent authentication and no pause if the settings are 0', async () => {
    const mine = await signedIn();
    const token = await reset(mine.player.account, mine.player.email!);
    const none = { ...GM_TIMEOUT, proof_minutes: 0, pause_hours: 0 };
    await w.service.changeSettings({ ...RELAXED, withdraw: none });
    await withClockAhead(20 * HOURS, async () =>
      expect((await w.withdraw({ ...mine, token }, 100)).status).toBe(200),
    );
    await w.service.changeSettings({ ...RELAXED, withdraw: GM_TIMEOUT });
  });

  it('is paused after a password reset by e-mail and returns the end of the pause', async () => {
    const mine = await signedIn();
    const token = await reset(mine.player.account, mine.player.email!);
    const paused = await w.withdraw({ ...mine, token }, 100);
    expect([paused.status, paused.body.code]).toEqual([422, 42206]);
    expect(paused.body.retry_after).toBeGreaterThan(24 * HOURS - 60);
    expect(paused.body.retry_after).toBeLessThanOrEqual(24 * HOURS);
    expect(paused.headers.get('retry-after')).toBe(String(paused.body.retry_after));
    const pausedUntil = async (as: { token: string }) =>
      (await w.service.client.get('/api/game/withdraw', as)).body.data.paused_until;
    const left = Date.parse(await pausedUntil({ token })) - Date.now();
    expect(left).toBeGreaterThan((24 * HOURS - 60) * 1000);
    expect(left).toBeLessThanOrEqual(24 * HOURS * 1000);
    expect(await w.rows({ roleId: mine.role })).toEqual([]);
    await withClockAhead(24 * HOURS + 1, async () => {
      const { token: again } = (await login(mine.player.account, NEW)).body.data;
      expect((await w.withdraw({ ...mine, token: again }, 100)).status).toBe(200);
      expect(await pausedUntil({ token: again })).toBeNull();
    });
  });

  it('stays paused for as many hours as the settings specify', async () => {
    const mine = await signedIn();
    const token = await reset(mine.player.account, mine.player.email!);
    const withdraw = { ...GM_TIMEOUT, pause_hours: Number.MAX_SAFE_INTEGER };
    await w.service.changeSettings({ ...RELAXED, withdraw });
    expect((await w.withdraw({ ...mine, token }, 100)).body.error).toBe('withdrawal_paused');
    const list = await w.service.client.get('/api/game/withdraw', { token });
    expect(list.body.data.paused_until).toMatch(/^\+275760-/);
    await w.service.changeSettings({ ...RELAXED, withdraw: GM_TIMEOUT });
  });

  it('is paused after a new e-mail address, but not after a changed password or the same address', async () => {
    const mine = await signedIn();
    const change = async (email: string, password: string, token: string) =>
      post('account/email', { email, code: await codeFor(email), password }, token);
    const { token } = (
      await post('account/password', { old_password: PASSWORD, password: NEW }, mine.token)
    ).body.data;
    expect((await change(mine.player.email!, NEW, token)).status).toBe(200);
    expect((await w.withdraw({ ...mine, token }, 100)).status).toBe(200);
    expect((await change(newMailbox(), NEW, token)).status).toBe(200);
    expect((await w.withdraw({ ...mine, token }, 100)).body.error).toBe('withdrawal_paused');
  });

  it('checks settings, pause, authentication and server in this order', async () => {
    const mine = await signedIn();
    const token = await reset(mine.player.account, mine.player.email!);
    const errorOf = async (withdraw: object) => {
      await w.service.changeSettings({ ...RELAXED, withdraw });
      const ask = () => w.withdraw({ ...mine, token, server: 999_999 }, 1);
      return (await withClockAhead(2 * HOURS, ask)).body.error;
    };
    expect(await errorOf({ enabled: false })).toBe('withdrawal_disabled');
    expect(await errorOf({})).toBe('withdrawal_paused');
    expect(await errorOf({ pause_hours: 1 })).toBe('sign_in_again');
    expect(await errorOf({ pause_hours: 1, proof_minutes: 0 })).toBe('server_not_found');
    await w.service.changeSettings({ ...RELAXED, withdraw: GM_TIMEOUT });
  });

  const change = (token: string, password: string) =>
    post('account/password', { old_password: PASSWORD, password }, token);
  const move = async (token: string, email: string) =>
    post('account/email', { email, code: await codeFor(email), password: PASSWORD }, token);

  it.each([
    ['the owner resets the password', 'unauthorized', (mine) => reset(mine.account, mine.email)],
    ['the owner changes the password', 'unauthorized', (mine) => change(mine.token, NEW)],
    ['the session is signed out', 'unauthorized', (mine) => post('logout', {}, mine.token)],
    ['the e-mail address changes', 'withdrawal_paused', (mine) => move(mine.token, newMailbox())],
    [
      'a second factor is added',
      'sign_in_again',
      (mine) => addAuthenticator(w.service.client, mine.token),
    ],
  ] satisfies Array<[string, string, (mine: Owner) => Promise<unknown>]>)(
    'stores no row if %s during the game database query',
    async (_what, error, act) => {
      const mine = await signedIn();
      const { account, email } = mine.player;
      const names = w.service.app.get(GameAccountService);
      const find = names.find.bind(names);
      names.find = async (...args) => {
        const found = await find(...args);
        await act({ account, email: email!, token: mine.token });
        return found;
      };
      const answer = await w.withdraw(mine, 100).finally(() => (names.find = find));
      expect(answer.body.error).toBe(error);
      expect(await w.rows({ roleId: mine.role })).toEqual([]);
    },
  );

  it.each([
    ['resets the password', (mine) => reset(mine.account, mine.email)],
    ['adds a second factor', (mine) => addAuthenticator(w.service.client, mine.token)],
  ] satisfies Array<[string, (mine: Owner) => Promise<unknown>]>)(
    'sends no order if the owner %s after the row was stored',
    async (_what, act) => {
      const mine = await signedIn();
      const { account, email } = mine.player;
      const game = w.service.app.get(GameDatabase);
      const find = game.findRole.bind(game);
      // The balance is read once more after the row was stored.
      const reading = vi.spyOn(game, 'findRole').mockImplementation(async (...args) => {
        const role = await find(...args);
        const isStored = (await w.rows({ roleId: mine.role })).length > 0;
        if (isStored) await act({ account, email: email!, token: mine.token });
        return role;
      });
      const answer = await w.withdraw(mine, 100);
      reading.mockRestore();
      expect(answer.body.error).toBe('service_unavailable');
      expect(await w.rowOf(mine)).toMatchObject({ status: 'failed', orderNo: null });
    },
  );

  it('reads the session with the player, once before the lock and once under it', async () => {
    const mine = await signedIn();
    const statements = await statementsOfRequests(w.service, () => w.withdraw(mine, 100));
    const reads = statements.filter((sql) => /(FROM|JOIN) session\b/.test(sql));
    expect(reads.length).toBeLessThanOrEqual(2);
  });
});

describe('The e-mail about a withdrawal', () => {
  const mailsOf = ({ player }: { player: Player }) =>
    mail.mailsTo(player.email!).filter(({ raw }) => raw.includes('/withdraw'));

  it('is sent to the owner once, however often the request is repeated', async () => {
    const mine = await signedIn();
    const key = randomUUID();
    const answers = await inParallel(() => w.withdraw(mine, 100, { key }));
    expect(answers.map(({ status }) => status)).toContain(200);
    await until(() => mailsOf(mine).length > 0);
    const { text } = await PostalMime.parse(mailsOf(mine)[0]!.raw);
    expect(text).toContain(`100 yuanbao were withdrawn from your account ${mine.player.account}`);
    expect(text).toContain('已提取 100 元宝');
    expect(text).not.toMatch(/checking|去向|Where it goes/);
    const row = await w.rowOf(mine);
    const realm = await w.service.app.get(ServersService).find(mine.server);
    expect(text).toContain(`Realm: ${realm!.name}\n`);
    expect(text).toContain(`Hero: ${row.roleName}\n`);
    expect(text).toContain(`Number: ${row.id}\n`);
    expect(text).toContain(`Order: ${row.orderNo}\n`);
    // A repeated announcement does not send a second e-mail.
    expect(row.mailedAt).toBeInstanceOf(Date);
    w.service.app.get(WithdrawalMail).announce(row);
    const other = await signedIn();
    await w.withdraw(other, 100);
    await until(() => mailsOf(other).length === 1);
    expect(mailsOf(mine)).toHaveLength(1);
  });

  it('says that the outcome is unknown if it is', async () => {
    const mine = await signedIn();
    w.game.fault = () => 'reset_before';
    expect((await w.withdraw(mine, 100)).status).toBe(202);
    w.game.fault = () => 'none';
    await until(() => mailsOf(mine).length === 1);
    const { text } = await PostalMime.parse(mailsOf(mine)[0]!.raw);
    expect(text).toContain('We are checking');
  });

  it('is not sent for a rejected withdrawal or if the setting is off', async () => {
    const [refused, quiet, last] = [await signedIn(), await signedIn(), await signedIn()];
    expect((await w.withdraw(refused, 2000)).body.error).toBe('insufficient_balance');
    const off = { mail: { withdrawal: false } };
    await w.service.changeSettings({ ...RELAXED, withdraw: GM_TIMEOUT, ...off });
    expect((await w.withdraw(quiet, 100)).status).toBe(200);
    await w.service.changeSettings({ ...RELAXED, withdraw: GM_TIMEOUT });
    expect((await w.withdraw(last, 100)).status).toBe(200);
    await until(() => mailsOf(last).length === 1);
    expect([...mailsOf(refused), ...mailsOf(quiet)]).toEqual([]);
  });
});
