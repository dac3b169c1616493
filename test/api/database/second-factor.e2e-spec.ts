import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { currentTime } from '../../../src/platform/database/database-clock.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import {
  addAuthenticator,
  Authenticator,
  secondStep,
  ticketFor,
} from '../../support/api/authenticator.js';
import { banPlayer, createPlayer } from '../../support/api/factories.js';
import { inParallel } from '../../support/api/parallel.js';
import type { MailApp } from '../../support/api/mail-app.js';
import { profileRequests, startProfileApp } from '../../support/api/profile.js';
import { statementsOfRequests } from '../../support/api/request-statements.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { until } from '../../support/until.js';

const MINUTES = 60;
const FREEZE = 0;
let service: MailApp;

beforeAll(async () => {
  service = await startProfileApp();
});
afterAll(() => service.stop());
const { post, account, login, tokenFor, me } = profileRequests(() => service);
const signIn = (ticket: string, proof: object, request = {}) =>
  secondStep(service.client, ticket, proof, request);
const remove = (path: string, token: string) =>
  service.client.send('DELETE', `/api/${path}`, { token });

/** Creates a player with an app and a token that is older than the app. */
async function withApp(player: Partial<Player> = {}) {
  const created = await createPlayer(service, { email: newMailbox(), ...player });
  const token = await tokenFor(created);
  const app = await withClockAhead(FREEZE, () => addAuthenticator(service.client, token));
  return { player: created, token, app };
}

async function mailed({ email }: Player, words: string): Promise<void> {
  await until(async () => {
    const mails = service.mail.mailsTo(email!).map(({ raw }) => PostalMime.parse(raw));
    return (await Promise.all(mails)).some(({ text = '' }) => text.includes(words));
  });
}

describe('An authenticator app', () => {
  it('becomes active once a code confirms it, and comes with ten recovery codes', async () => {
    const player = await createPlayer(service);
    const token = await tokenFor(player);
    const none = { totp: false, passkeys: [], recovery_codes_left: 0 };
    expect((await account(token)).data.two_factor).toEqual(none);
    const { secret, uri } = (await post('account/totp', {}, token)).body.data;
    expect(uri).toBe(
      `otpauth://totp/Gatehouse:${player.account}?issuer=Gatehouse&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    const app = new Authenticator(secret, []);
    const wrong = await post('account/totp/confirm', { code: app.wrongCode() }, token);
    expect([wrong.status, wrong.body.code]).toEqual([401, 40107]);
    expect((await account(token)).data.two_factor).toEqual(none);
    expect((await login(player.account)).status).toBe(200);
    const confirmed = await post('account/totp/confirm', { code: app.code() }, token);
    const codes: string[] = confirmed.body.data.recovery_codes;
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{10}$/);
    expect((await account(token)).data.two_factor).toEqual({
      totp: true,
      passkeys: [],
      recovery_codes_left: 10,
    });
  });

  it('is stored encrypted, and its recovery codes as hashes', async () => {
    const { app } = await withApp();
    const rows = JSON.stringify([
      await service.database.query('SELECT * FROM player_totp'),
      await service.database.query('SELECT * FROM player_recovery_code'),
    ]);
    for (const secret of [app.secret, ...app.recoveryCodes]) expect(rows).not.toContain(secret);
  });

  it('must be confirmed within ten minutes with the secret that was shown last', async () => {
    const token = await tokenFor(await createPlayer(service));
    const first = new Authenticator((await post('account/totp', {}, token)).body.data.secret, []);
    const last = new Authenticator((await post('account/totp', {}, token)).body.data.secret, []);
    const stale = await post('account/totp/confirm', { code: first.code() }, token);
    expect(stale.body.error).toBe('second_factor_invalid');
    await withClockAhead(11 * MINUTES, async () => {
      await post('session/confirm', { password: PASSWORD }, token);
      const late = await post('account/totp/confirm', { code: last.code() }, token);
      expect(late.body.error).toBe('second_factor_invalid');
    });
  });

  it('can be added only after recent authentication', async () => {
    const token = await tokenFor(await createPlayer(service));
    await withClockAhead(11 * MINUTES, async () => {
      expect((await post('account/totp', {}, token)).body.code).toBe(40105);
      await post('session/confirm', { password: PASSWORD }, token);
      expect((await post('account/totp', {}, token)).status).toBe(200);
    });
    await withClockAhead(22 * MINUTES, async () => {
      const late = await post('account/totp/confirm', { code: '123456' }, token);
      expect(late.body.error).toBe('sign_in_again');
    });
  });

  it('is added only once and cannot be replaced by another', async () => {
    const { token, app, player } = await withApp();
    await withClockAhead(FREEZE, async () => {
      expect((await post('account/totp', {}, token)).body.error).toBe('sign_in_again');
      await post('session/confirm', { code: app.code() }, token);
      const again = await post('account/totp', {}, token);
      expect(again.body).toMatchObject({ code: 40000, details: [{ field: 'totp' }] });
      const ticket = await ticketFor(service.client, player.account);
      expect((await signIn(ticket, { code: app.code(1) })).status).toBe(200);
    });
  });

  it('is removed with a code, not with the password, and its removal pauses withdrawals', async () => {
    const { token, app, player } = await withApp();
    await post('session/confirm', { password: PASSWORD }, token);
    expect((await remove('account/totp', token)).body.error).toBe('sign_in_again');
    await withClockAhead(FREEZE, () => post('session/confirm', { code: app.code() }, token));
    expect((await remove('account/totp', token)).body.data).toEqual({});
    const { two_factor } = (await account(token)).data;
    expect(two_factor).toEqual({ totp: false, passkeys: [], recovery_codes_left: 0 });
    const stored = await service.database.manager.findOneByOrFail(Player, { id: player.id });
    expect(stored.hasSecondFactor).toBe(false);
    expect(Date.now() - stored.withdrawPausedAt!.getTime()).toBeLessThan(60_000);
    expect((await login(player.account)).status).toBe(200);
  });

  it('triggers an e-mail to the owner when it or its recovery codes change', async () => {
    const { app, player } = await withApp();
    const ticket = await ticketFor(service.client, player.account);
    const [recovery_code] = app.recoveryCodes;
    const signedIn = await signIn(ticket, { recovery_code });
    const { account: name } = player;
    await mailed(player, `An authenticator app was added to your account ${name}`);
    await mailed(player, `A recovery code was used for your account ${name}. Codes left: 9`);
    await post('account/recovery_codes', {}, signedIn.body.data.token);
    await mailed(player, `New recovery codes were made for your account ${name}`);
    await remove('account/totp', signedIn.body.data.token);
    await mailed(player, `The authenticator app was removed from your account ${name}`);
  });
});

describe('POST /api/login for an account with a second factor', () => {
  it('returns a ticket instead of a token, by name and by e-mail address', async () => {
    const { player, app } = await withApp();
    await withClockAhead(FREEZE, async () => {
      for (const [step, name] of [player.account, player.email!].entries()) {
        const answer = await login(name);
        expect([answer.status, answer.body.code]).toEqual([401, 40106]);
        expect(answer.body.methods).toEqual(['totp', 'recovery_code']);
        expect(answer.headers.getSetCookie()).toEqual([]);
        const signedIn = await signIn(answer.body.ticket, { code: app.code(step) });
        expect(signedIn.body.data).toMatchObject({ account: player.account, server_id: null });
        expect((await me(signedIn.body.data.token)).body.data.id).toBe(player.id);
      }
    });
  });

  it('reveals nothing about the factor before the password is correct', async () => {
    const { player } = await withApp();
    const plain = await createPlayer(service);
    const [one, other] = [
      await login(player.account, 'wrong'),
      await login(plain.account, 'wrong'),
    ];
    const { request_id: _, ...told } = one.body;
    expect(other.body).toMatchObject(told);
    expect(one.body.error).toBe('bad_credentials');
  });

  it('runs no additional statement for an account without a second factor', async () => {
    const { account: name } = await createPlayer(service);
    expect((await login(name)).status).toBe(200);
    const statements = await statementsOfRequests(service, async () =>
      expect((await login(name)).status).toBe(200),
    );
    // A login without a second factor runs exactly these statements. On MySQL, both bypass TypeORM.
    const isEmbedded = service.database.options.type === 'better-sqlite3';
    expect(statements.map((sql) => /^(?:SELECT.*?JOIN|INSERT INTO) (\w+)/s.exec(sql)?.[1])).toEqual(
      isEmbedded ? ['player', 'session'] : [],
    );
  });

  it('remembers the browser after the second step if the first step requested it', async () => {
    const { player, app } = await withApp();
    await withClockAhead(FREEZE, async () => {
      const remembered = await ticketFor(service.client, player.account, { remember: true });
      const kept = await signIn(remembered, { code: app.code() });
      expect(kept.headers.getSetCookie()).toHaveLength(1);
      const plain = await signIn(await ticketFor(service.client, player.account), {
        code: app.code(1),
      });
      expect([plain.status, plain.headers.getSetCookie()]).toEqual([200, []]);
    });
  });

  it('keeps counting wrong codes from an address after the correct password', async () => {
    const { player, app } = await withApp();
    const from = { from: '203.0.113.77' };
    for (let tries = 0; tries < 5; tries++) {
      const { ticket } = (await login(player.account, PASSWORD, from)).body;
      const wrong = await signIn(ticket, { code: app.wrongCode() }, from);
      expect(wrong.body.error).toBe('second_factor_invalid');
    }
    const locked = await login(player.account, PASSWORD, from);
    expect([locked.body.code, locked.body.ticket]).toEqual([42901, undefined]);
    expect((await login(player.account, PASSWORD, { from: '203.0.113.78' })).body.code).toBe(40106);
  });
});

describe('POST /api/login/second', () => {
  it('accepts each code once, and afterwards none from an earlier time step', async () => {
    const { player, app } = await withApp();
    await withClockAhead(FREEZE, async () => {
      const next = async (steps: number) => {
        const ticket = await ticketFor(service.client, player.account);
        return (await signIn(ticket, { code: app.code(steps) })).status;
      };
      expect(await next(-1)).toBe(401);
      expect(await next(1)).toBe(200);
      expect(await next(1)).toBe(401);
      expect(await next(0)).toBe(401);
    });
  });

  it('accepts a code and a ticket once under parallel requests', async () => {
    const { player, app } = await withApp();
    await withClockAhead(FREEZE, async () => {
      const tickets = await inParallel(() => ticketFor(service.client, player.account), 4);
      const answers = await inParallel((index) => {
        return signIn(tickets[index]!, { code: app.code() }, { from: `198.51.100.${index}` });
      }, 4);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const ticket = await ticketFor(service.client, player.account);
      const codes = app.recoveryCodes;
      const tries = await inParallel((index) => {
        const from = `198.51.101.${index}`;
        return signIn(ticket, { recovery_code: codes[index] }, { from });
      }, 4);
      expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
      const unused =
        'SELECT COUNT(*) AS n FROM player_recovery_code WHERE player_id = ? AND used_at IS NULL';
      const [{ n }] = await service.database.query(unused, [player.id]);
      expect(Number(n)).toBe(9);
    });
  });

  it('accepts each recovery code once, regardless of case, spaces and dashes', async () => {
    const { player, app, token } = await withApp();
    const [code = '', other] = app.recoveryCodes;
    const typed = `${code.slice(0, 5).toLowerCase()}-${code.slice(5)} `;
    const first = await signIn(await ticketFor(service.client, player.account), {
      recovery_code: typed,
    });
    expect(first.status).toBe(200);
    const ticket = await ticketFor(service.client, player.account);
    expect((await signIn(ticket, { recovery_code: code })).body.error).toBe(
      'second_factor_invalid',
    );
    expect((await account(token)).data.two_factor.recovery_codes_left).toBe(9);
    // A session with a second factor may create new recovery codes.
    const renewed = await post('account/recovery_codes', {}, first.body.data.token);
    expect(renewed.body.data.recovery_codes).toHaveLength(10);
    expect((await signIn(ticket, { recovery_code: other })).status).toBe(401);
    const [fresh] = renewed.body.data.recovery_codes;
    expect((await signIn(ticket, { recovery_code: fresh })).status).toBe(200);
  });

  it("rejects another account's code", async () => {
    const [mine, theirs] = [await withApp(), await withApp()];
    await withClockAhead(FREEZE, async () => {
      const ticket = await ticketFor(service.client, mine.player.account);
      const [recovery_code] = theirs.app.recoveryCodes;
      for (const proof of [{ code: theirs.app.code() }, { recovery_code }, { response: {} }])
        expect((await signIn(ticket, proof)).body.error).toBe('second_factor_invalid');
      expect((await signIn(ticket, { code: mine.app.code() })).status).toBe(200);
    });
  });

  it('rejects a ticket that is forged, expired or older than the current password', async () => {
    const { player, app, token } = await withApp();
    await withClockAhead(FREEZE, async () => {
      const ticket = await ticketFor(service.client, player.account);
      for (const forged of [token, `${ticket}x`, 'x', ticket.replace(/\.[^.]+$/, '.')])
        expect((await signIn(forged, { code: app.code() })).body.error).toBe(
          'second_factor_invalid',
        );
      // The ticket is rejected as a JWT.
      expect((await me(ticket)).status).toBe(401);
      const check = await post('check', { account: player.account, token: ticket });
      expect(check.body.error).toBe('token_invalid');
    });
    const old = await ticketFor(service.client, player.account);
    await withClockAhead(5 * MINUTES + 1, async () => {
      expect((await signIn(old, { code: app.code() })).body.error).toBe('second_factor_invalid');
    });
    const before = await ticketFor(service.client, player.account);
    const changed = { old_password: PASSWORD, password: 'another password' };
    expect((await post('account/password', changed, token)).status).toBe(200);
    const [recovery_code] = app.recoveryCodes;
    expect((await signIn(before, { recovery_code })).body.error).toBe('second_factor_invalid');
  });

  it('rejects a banned player', async () => {
    const { player, app } = await withApp();
    const ticket = await ticketFor(service.client, player.account);
    await banPlayer(service, player);
    const [recovery_code] = app.recoveryCodes;
    expect((await signIn(ticket, { recovery_code })).body.code).toBe(40301);
  });

  it.each([
    [{}],
    [{ code: '123456', recovery_code: 'ABCDEFGHJK' }],
    [{ code: 123456 }],
    [{ response: 'text' }],
    [{ response: [] }],
    [{ code: { $ne: '' } }],
  ])('returns invalid_request for %j', async (proof) => {
    expect((await signIn('ticket', proof)).body.error).toBe('invalid_request');
  });

  it('rejects a malformed passkey response without a server error', async () => {
    const { player } = await withApp();
    const ticket = await ticketFor(service.client, player.account);
    const response = { constructor: 1, id: { __proto__: null }, response: [[[]]] };
    expect((await signIn(ticket, { response })).body.error).toBe('second_factor_invalid');
  });

  it('allows ten wrong codes an hour per account, from any address', async () => {
    const { player, app } = await withApp();
    await withClockAhead(FREEZE, async () => {
      const ticket = await ticketFor(service.client, player.account);
      const tries = await inParallel((index) => {
        return signIn(ticket, { code: app.wrongCode() }, { from: `192.0.2.${index}` });
      }, 16);
      const errors = tries.map(({ body }) => body.error);
      expect(errors.filter((error) => error === 'second_factor_invalid')).toHaveLength(10);
      expect(errors.filter((error) => error === 'login_throttled')).toHaveLength(6);
      const right = await signIn(ticket, { code: app.code() }, { from: '192.0.2.200' });
      expect([right.status, right.body.code]).toEqual([429, 42901]);
      expect(right.body.retry_after).toBeGreaterThan(3500);
    });
    await mailed(player, `many wrong second-step codes for your account ${player.account}`);
    await withClockAhead(61 * MINUTES, async () => {
      const ticket = await ticketFor(service.client, player.account);
      expect((await signIn(ticket, { code: app.code() })).status).toBe(200);
    });
  });
});

describe('POST /api/session/confirm with a code', () => {
  it('allows a new e-mail address, which the password alone does not', async () => {
    const { token, app } = await withApp();
    const email = newMailbox();
    const change = { email, code: '123456', password: PASSWORD };
    await post('session/confirm', { password: PASSWORD }, token);
    expect((await post('account/email', change, token)).body.error).toBe('sign_in_again');
    await withClockAhead(FREEZE, async () => {
      const wrong = await post('session/confirm', { code: app.wrongCode() }, token);
      expect(wrong.body.error).toBe('second_factor_invalid');
      const right = await post('session/confirm', { code: app.code() }, token);
      expect(Date.parse(right.body.data.confirmed_until)).toBe(currentTime() + 10 * 60_000);
      const used = await post('session/confirm', { code: app.code() }, token);
      expect(used.body.error).toBe('second_factor_invalid');
    });
    expect((await post('account/email', change, token)).body.error).toBe('code_invalid');
  });

  it('reserves half of the allowed wrong codes for signing in', async () => {
    const { player, token, app } = await withApp();
    await withClockAhead(FREEZE, async () => {
      const tries = await inParallel((index) => {
        const from = `192.0.2.${index}`;
        return post('session/confirm', { code: app.wrongCode() }, token, { from });
      }, 12);
      const errors = tries.map(({ body }) => body.error);
      expect(errors.filter((error) => error === 'second_factor_invalid')).toHaveLength(5);
      expect(errors.filter((error) => error === 'login_throttled')).toHaveLength(7);
      const ticket = await ticketFor(service.client, player.account);
      expect((await signIn(ticket, { code: app.code() })).status).toBe(200);
    });
    await mailed(player, `many wrong second-step codes for your account ${player.account}`);
  });

  it('rejects a code for an account without a second factor', async () => {
    const token = await tokenFor(await createPlayer(service));
    const answer = await post('session/confirm', { code: '123456' }, token);
    expect(answer.body.error).toBe('second_factor_invalid');
    expect((await post('session/confirm', {}, token)).body.error).toBe('invalid_request');
  });
});
