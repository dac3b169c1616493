import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import type { TestApp } from '../../support/api/app.js';
import {
  addAuthenticator,
  type Authenticator,
  secondStep,
  ticketFor,
} from '../../support/api/authenticator.js';
import { BrowserSession } from '../../support/api/browser-session.js';
import type { Answer } from '../../support/api/client.js';
import { addServer, createPlayer, passwordHash } from '../../support/api/factories.js';
import { profileRequests, startProfileApp } from '../../support/api/profile.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { MailServer } from '../../support/servers/smtp.js';
import { Tickets } from '../../../src/features/forum-auth/tickets.js';
import type { Player } from '../../../src/platform/auth/player.entity.js';

/** Every route that gives a token. A new one has to be walked below. */
const DOORS = [
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
let service: TestApp;
let mail: MailServer;
let serverId: number;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startProfileApp(mail);
  serverId = (await addServer(service.database)).id;
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});
const { post, account, bind, login, tokenFor, codeFor, me } = profileRequests(
  () => service,
  () => mail,
);

/** A player with a linked identity and an app. The token is from before the app. */
async function withApp(player: Partial<Player> = {}) {
  const created = await createPlayer(service, { email: newMailbox(), ...player });
  const token = await tokenFor(created);
  const connectId = unique('person');
  expect((await bind(connectId, {}, token)).status).toBe(200);
  const app = await withClockAhead(FREEZE, () => addAuthenticator(service.client, token));
  return { player: created, token, connectId, app };
}

/** That the answer has a ticket and nothing to sign in with; the second step with a recovery code. */
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

describe('The routes that give a token', () => {
  it('are exactly the listed ones', async () => {
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

  it('by password or mailbox ask for the second step', async () => {
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

  it('by a linked forum identity ask for the second step', async () => {
    const { player, app, connectId } = await withApp();
    const ticket = service.app.get(Tickets).issue(connectId);
    const answer = await post('forumauth/bind', { ticket });
    const { data } = (await takeSecondStep(answer, app)).body;
    expect(data).toMatchObject({ account: player.account, created: false });
    // The second step has used up the forum's ticket.
    const again = await post('forumauth/bind', { ticket });
    const spent = await secondStep(service.client, again.body.ticket, {
      recovery_code: app.recoveryCodes[0],
    });
    expect(spent.body.error).toBe('ticket_invalid');
  });

  it('by a forum identity that was unlinked meanwhile are refused', async () => {
    const { app, connectId, token } = await withApp();
    const { ticket } = (await bind(connectId)).body;
    expect((await post('unbind', { provider: 'forum' }, token)).status).toBe(200);
    const [recovery_code] = app.recoveryCodes;
    const late = await secondStep(service.client, ticket, { recovery_code });
    expect(late.body.error).toBe('ticket_invalid');
    // The refusal has used up neither.
    expect((await account(token)).data.two_factor.recovery_codes_left).toBe(10);
  });

  it('by a new link and the password link after the second step', async () => {
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

  it('by a reset change the password at once, and ask for the second step', async () => {
    const { player, app, token } = await withApp();
    const form = { account: player.account, email: player.email!, password: NEW };
    const answer = await post('reset_password', { ...form, code: await codeFor(player.email!) });
    expect((await me(token)).status).toBe(401);
    expect((await login(player.account)).body.error).toBe('bad_credentials');
    const { data } = (await takeSecondStep(answer, app)).body;
    expect(data.bindings).toHaveLength(1);
    // The factor is still there.
    expect((await login(player.account, NEW)).body.code).toBe(40106);
  });

  it('of a session that is signed in go on after a factor was added', async () => {
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
    // None of them proves more than before.
    const factor = await post('account/totp', {}, changed.body.data.token);
    expect(factor.body.error).toBe('sign_in_again');
  });

  it('make no second factor for a new account', async () => {
    const email = newMailbox();
    const form = { account: unique('n'), password: PASSWORD, email, server_id: serverId };
    const registered = await post('register', { ...form, code: await codeFor(email) });
    expect(registered.status).toBe(200);
    expect((await bind(unique('person'))).body.data.created).toBe(true);
  });
});

describe('/api/check', () => {
  it('refuses the old-format token once the account has a second factor', async () => {
    const player = await createPlayer(service);
    const md5 = { account: player.account, token: passwordHash(service, PASSWORD) };
    expect((await post('check', md5)).body.data.format).toBe('md5');
    const token = await tokenFor(player);
    await withClockAhead(FREEZE, () => addAuthenticator(service.client, token));
    expect((await post('check', md5)).body.error).toBe('token_invalid');
    expect((await post('check', { account: player.account, token })).body.data.format).toBe('jwt');
  });
});

describe('A sign-in in two steps', () => {
  it('is recorded with the way of each', async () => {
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
