import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import {
  addAuthenticator,
  type Authenticator,
  secondStep,
  ticketFor,
} from '../../support/api/authenticator.js';
import { BrowserSession } from '../../support/api/browser-session.js';
import type { Answer } from '../../support/api/client.js';
import { addServer, createPlayer, passwordHash } from '../../support/api/factories.js';
import type { MailApp } from '../../support/api/mail-app.js';
import { profileRequests, startProfileApp } from '../../support/api/profile.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { ForumTickets } from '../../../src/features/forum-auth/forum-tickets.js';
import { OwnAccount } from '../../../src/features/profile/own-account.js';
import type { Player } from '../../../src/platform/auth/player.entity.js';

/** Lists all routes that return a token. Each new route needs a test below. */
const DOORS = [
  'POST /api/account/name',
  'POST /api/account/password',
  'POST /api/enter_game',
  'POST /api/forumauth/bind',
  'POST /api/login',
  'POST /api/login/passkey',
  'POST /api/login/second',
  'POST /api/register',
  'POST /api/reset_password',
  'POST /api/session/refresh',
];
interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
const FREEZE = 0;
const NEW = 'a new password';
let service: MailApp;
let serverId: number;

beforeAll(async () => {
  service = await startProfileApp();
  serverId = (await addServer(service.database)).id;
});
afterAll(() => service.stop());
const { post, account, bind, login, tokenFor, codeFor, me } = profileRequests(() => service);

/** Creates a player with a linked identity, an app, and a token that is older than the app. */
async function withApp(player: Partial<Player> = {}) {
  const created = await createPlayer(service, { email: newMailbox(), ...player });
  const token = await tokenFor(created);
  const connectId = unique('person');
  expect((await bind(connectId, {}, token)).status).toBe(200);
  const app = await withClockAhead(FREEZE, () => addAuthenticator(service.client, token));
  return { player: created, token, connectId, app };
}

/** Checks that the response contains only a ticket, and completes the second step with a recovery code. */
async function takeSecondStep(answer: Answer, app: Authenticator): Promise<Answer> {
  expect([answer.status, answer.body.code], answer.text).toEqual([401, 40106]);
  expect(Object.keys(answer.body).toSorted()).toEqual(
    ['code', 'error', 'message', 'methods', 'request_id', 'ticket'].toSorted(),
  );
  expect(answer.headers.getSetCookie()).toEqual([]);
  const { ticket } = answer.body;
  const withoutProof = await me(ticket);
  expect(withoutProof.status).toBe(401);
  const signedIn = await secondStep(service.client, ticket, {
    recovery_code: app.recoveryCodes.pop(),
  });
  expect(signedIn.status, signedIn.text).toBe(200);
  expect((await me(signedIn.body.data.token)).status).toBe(200);
  return signedIn;
}

describe('The password alone', () => {
  it.each(['account/email', 'account/close'])(
    'no longer suffices for %s if the owner adds a factor during the request',
    async (route) => {
      const player = await createPlayer(service, { email: newMailbox() });
      const [owner, thief] = [await tokenFor(player), await tokenFor(player)];
      const email = newMailbox();
      const form = { email, code: await codeFor(email), password: PASSWORD };
      const ownAccount = service.app.get(OwnAccount);
      const requireOwner = ownAccount.requireOwner.bind(ownAccount);
      // This method runs after the password is accepted and just before the transaction.
      ownAccount.requireOwner = async (...args) => {
        await requireOwner(...args);
        await withClockAhead(FREEZE, () => addAuthenticator(service.client, owner));
      };
      const answer = await post(route, form, thief).finally(
        () => (ownAccount.requireOwner = requireOwner),
      );
      expect(answer.body.error).toBe('sign_in_again');
      expect((await account(owner)).data).toMatchObject({ email: player.email, closing_at: null });
    },
  );
});

describe('The routes that return a token', () => {
  it('are exactly the ones that this file tests with a second factor', async () => {
    const { paths, components } = (await service.client.get('/api/openapi.json')).body;
    const gives = (schema: unknown): boolean => {
      const { $ref, properties, allOf } = Object(schema) as Record<string, never>;
      if ($ref) return gives(components.schemas[String($ref).split('/').at(-1)!]);
      const { data, token } = Object(properties) as Record<string, unknown>;
      const parts: unknown[] = allOf ?? [];
      return token !== undefined || (data !== undefined && gives(data)) || parts.some(gives);
    };
    const doors = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) =>
          gives(responses['200']?.content?.['application/json']?.schema),
        )
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    expect(doors.toSorted()).toEqual(DOORS);
  });

  it('require the second step after a password, by name or by e-mail address', async () => {
    const { player, app } = await withApp();
    for (const name of [player.account, player.email!]) {
      const { data } = (await takeSecondStep(await login(name), app)).body;
      expect(data).toEqual({
        account: player.account,
        token: expect.any(String),
        expires_in: 86_400,
        server_id: null,
      });
    }
  });

  it('require the second step after a sign-in through the forum', async () => {
    const { player, app, connectId } = await withApp();
    const ticket = service.app.get(ForumTickets).issue(connectId);
    const answer = await post('forumauth/bind', { ticket });
    const { data } = (await takeSecondStep(answer, app)).body;
    expect(data).toMatchObject({ account: player.account, created: false });
    // The second step has used up the forum ticket.
    const again = await post('forumauth/bind', { ticket });
    const spent = await secondStep(service.client, again.body.ticket, {
      recovery_code: app.recoveryCodes[0],
    });
    expect(spent.body.error).toBe('ticket_invalid');
  });

  it('reject the second step once the forum identity is unlinked', async () => {
    const { app, connectId, token } = await withApp();
    const { ticket } = (await bind(connectId)).body;
    expect((await post('unbind', { provider: 'forum' }, token)).status).toBe(200);
    const [recovery_code] = app.recoveryCodes;
    const late = await secondStep(service.client, ticket, { recovery_code });
    expect(late.body.error).toBe('ticket_invalid');
    // The rejected request has used up neither the ticket nor the code.
    expect((await account(token)).data.two_factor.recovery_codes_left).toBe(10);
  });

  it('link a forum identity only after the second step', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const token = await tokenFor(player);
    const app = await withClockAhead(FREEZE, () => addAuthenticator(service.client, token));
    const connectId = unique('person');
    const wrong = await bind(connectId, { account: player.account, password: 'wrong' });
    expect(wrong.body.error).toBe('bad_credentials');
    const credentials = { account: player.account, password: PASSWORD };
    const answer = await bind(connectId, credentials);
    expect((await account(token)).data.bindings).toEqual([]);
    await takeSecondStep(answer, app);
    const [link] = (await account(token)).data.bindings;
    expect(link.connect_id).toBe(connectId);
  });

  it('change the password immediately in a reset, and require the second step', async () => {
    const { player, app, token } = await withApp();
    const form = { account: player.account, email: player.email!, password: NEW };
    const answer = await post('reset_password', { ...form, code: await codeFor(player.email!) });
    expect((await me(token)).status).toBe(401);
    expect((await login(player.account)).body.error).toBe('bad_credentials');
    const { data } = (await takeSecondStep(answer, app)).body;
    expect(data.bindings).toHaveLength(1);
    // The account still has its factor.
    expect((await login(player.account, NEW)).body.code).toBe(40106);
  });

  it('keep working for a signed-in session after it adds a factor', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const browser = BrowserSession.of(service);
    await browser.signIn(player.account, PASSWORD);
    await withClockAhead(FREEZE, () => addAuthenticator(service.client, browser.token));
    expect((await browser.refresh()).status).toBe(200);
    const entered = await post('enter_game', { server_id: serverId }, browser.token);
    const { token } = entered.body.data;
    const check = await post('check', { account: player.account, token });
    expect(check.body.data.format).toBe('jwt');
    const change = { old_password: PASSWORD, password: NEW };
    const changed = await post('account/password', change, browser.token);
    expect(changed.status).toBe(200);
    // None of these responses counts as a use of the second factor.
    const factor = await post('account/totp', {}, changed.body.data.token);
    expect(factor.body.error).toBe('sign_in_again');
    const name = { account: unique('chosen') };
    const renamed = await post('account/name', name, changed.body.data.token);
    expect(renamed.body.error).toBe('sign_in_again');
  });

  it('require no second step for a new account', async () => {
    const email = newMailbox();
    const form = { account: unique('n'), password: PASSWORD, email, server_id: serverId };
    const registered = await post('register', { ...form, code: await codeFor(email) });
    expect(registered.status).toBe(200);
    expect((await bind(unique('person'))).body.data.created).toBe(true);
  });
});

describe('/api/check', () => {
  it('rejects the old-format token once the account has a second factor', async () => {
    const player = await createPlayer(service);
    const md5 = { account: player.account, token: passwordHash(service, PASSWORD) };
    expect((await post('check', md5)).body.data.format).toBe('md5');
    const token = await tokenFor(player);
    await withClockAhead(FREEZE, () => addAuthenticator(service.client, token));
    expect((await post('check', md5)).body.error).toBe('token_invalid');
    expect((await post('check', { account: player.account, token })).body.data.format).toBe('jwt');
  });
});

describe('A two-step sign-in', () => {
  it('is recorded with the method of each step', async () => {
    const { player, app } = await withApp();
    const ticket = await ticketFor(service.client, player.account);
    await secondStep(service.client, ticket, { recovery_code: app.recoveryCodes.pop() });
    await withClockAhead(FREEZE, async () => {
      await secondStep(service.client, await ticketFor(service.client, player.account), {
        code: app.code(),
      });
    });
    const sql = 'SELECT way, outcome FROM login_event WHERE player_id = ? ORDER BY id';
    await expect
      .poll(() => service.database.query(sql, [player.id]), { timeout: 50_000 })
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ way: 'recovery_code', outcome: 'ok' }),
          expect.objectContaining({ way: 'totp', outcome: 'ok' }),
        ]),
      );
  });
});
