import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ForumTickets } from '../../src/features/forum-auth/forum-tickets.js';
import { unique } from '../support/accounts.js';
import type { TestApp } from '../support/api/app.js';
import { createPlayer, tokenOf } from '../support/api/factories.js';
import { AUTHORIZE, CALLBACK, ForumLogin } from '../support/api/forum-login.js';
import { inParallel } from '../support/api/parallel.js';
import type { PlainForum } from '../support/servers/plain-forum.js';

let login: ForumLogin;
let forum: PlainForum;
let service: TestApp;

beforeAll(async () => {
  login = await ForumLogin.start();
  ({ forum, service } = login);
});
afterEach(() => {
  vi.useRealTimers();
  forum.behave();
});
afterAll(() => login.stop());

describe('GET /api/forumauth/authorize', () => {
  it('redirects to the forum with a state of 256 bits and an S256 challenge', async () => {
    const { status, headers, location } = await login.newBrowser().visit(AUTHORIZE);
    expect(status).toBe(302);
    const url = new URL(location!);
    expect(url.origin + url.pathname).toBe(forum.env.FORUM_AUTHORIZE_URL!.split('?')[0]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      app: 'oauth',
      response_type: 'code',
      client_id: 'gatehouse',
      redirect_uri: CALLBACK,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('binds the state to the browser with a Secure HttpOnly cookie', async () => {
    const { headers } = await login.newBrowser().visit(AUTHORIZE);
    const [cookie = '', ...others] = headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^__Secure-forum_login_/);
    const attributes = cookie.split('; ').slice(1);
    expect(attributes).toEqual(
      expect.arrayContaining([
        'HttpOnly',
        'SameSite=Lax',
        'Secure',
        'Path=/api/forumauth',
        'Max-Age=300',
      ]),
    );
    expect(attributes.join()).not.toMatch(/domain/i);
  });

  it('ignores parameters that belong to the callback', async () => {
    const reply = `?code=x&state=y&error=access_denied`;
    const { status, location } = await login.newBrowser().visit(AUTHORIZE + reply);
    expect(status).toBe(302);
    expect(location).toContain(forum.env.FORUM_AUTHORIZE_URL);
    expect(new URL(location!).searchParams.get('state')).toMatch(/^[\w-]{43}$/);
    expect(forum.calls).toEqual([]);
  });

  it("keeps a browser's five newest logins", async () => {
    const browser = login.newBrowser();
    const callbacks: string[] = [];
    for (let tab = 0; tab < 6; tab++) callbacks.push(await login.toCallback(browser));
    expect(browser.cookies).toHaveLength(5);
    expect(await login.land(browser, callbacks[0]!)).toEqual({ error: 'oauth_state_invalid' });
    expect(await login.land(browser, callbacks[5]!)).toHaveProperty('ticket');
    expect(await login.land(browser, callbacks[1]!)).toHaveProperty('ticket');
  });
});

describe('GET /api/forumauth/callback', () => {
  const bind = (body: object) => service.client.post('/api/forumauth/bind', body);

  it('redirects to the front end with a ticket and deletes the cookie', async () => {
    forum.person = unique('person');
    const browser = login.newBrowser();
    const result = await login.land(
      browser,
      await login.toCallback(browser, '/withdraw?server_id=1'),
    );
    expect(result).toEqual({
      ticket: expect.any(String),
      linked: '0',
      return_to: '/withdraw?server_id=1',
      name: 'Somebody',
    });
    expect(browser.cookies).toEqual([]);
  });

  it('reports whether the identity has an account', async () => {
    forum.person = 10_293;
    const { account } = await createPlayer(service);
    await service.client.post('/api/bind_account', { account, connect_id: '10293' });
    expect(await login.complete()).toMatchObject({ linked: '1', return_to: '/' });
  });

  it('does not redirect to another site', async () => {
    expect(await login.complete('//evil.example')).toMatchObject({ return_to: '/' });
  });

  it('keeps the return URL after an error for the browser that started the login', async () => {
    const browser = login.newBrowser();
    const callback = await login.toCallback(browser, '/withdraw');
    const denied = `${callback}&error=access_denied`;
    const kept = [...browser.cookies];
    expect(await login.land(login.newBrowser(), denied)).toEqual({ error: 'oauth_state_invalid' });
    expect(await login.land(browser, denied)).toEqual({
      error: 'forum_denied',
      return_to: '/withdraw',
    });
    expect(browser.cookies).toEqual([]);
    const used = { error: 'oauth_state_invalid', return_to: '/withdraw' };
    browser.cookies.push(...kept);
    expect(await login.land(browser, callback)).toEqual(used);
    browser.cookies.push({ ...kept[0]!, value: withChangedContent(kept[0]!.value) });
    expect(await login.land(browser, callback)).toEqual({ error: 'oauth_state_invalid' });
  });

  it("completes two tabs' logins in any order", async () => {
    const browser = login.newBrowser();
    forum.person = unique('person');
    const first = await login.toCallback(browser, '/agree');
    const second = await login.toCallback(browser, '/withdraw');
    expect(await login.land(browser, second)).toMatchObject({ return_to: '/withdraw' });
    expect(await login.land(browser, first)).toMatchObject({ return_to: '/agree' });
  });

  it('issues a ticket that is rejected with a nonce if the login was started without one', async () => {
    forum.person = unique('person');
    const { ticket } = await login.complete();
    const stolen = await bind({ ticket, nonce: unique('nonce-of-the-victim') });
    expect(stolen.body.error).toBe('ticket_invalid');
    expect((await bind({ ticket })).body.data).toMatchObject({ created: true });
  });

  describe('with a nonce', () => {
    it.each(['Az09_-Az09_-Az09', 'x'.repeat(64)])('returns the nonce %s', async (nonce) => {
      const browser = login.newBrowser();
      forum.person = unique('person');
      expect(
        await login.land(browser, await login.toCallback(browser, '/withdraw', nonce)),
      ).toEqual({
        ticket: expect.any(String),
        linked: '0',
        return_to: '/withdraw',
        nonce,
        name: 'Somebody',
      });
    });

    it('returns the nonce after an error, but only to the browser that sent it', async () => {
      const browser = login.newBrowser();
      const nonce = unique('nonce-of-this-tab');
      const callback = await login.toCallback(browser, '/', nonce);
      const kept = [...browser.cookies];
      expect(await login.land(login.newBrowser(), callback)).toEqual({
        error: 'oauth_state_invalid',
      });
      const denied = `${callback}&error=access_denied`;
      expect(await login.land(browser, denied)).toEqual({ error: 'forum_denied', nonce });
      browser.cookies.push(...kept);
      expect(await login.land(browser, callback)).toEqual({ error: 'oauth_state_invalid', nonce });
    });

    it('issues a ticket that is valid only with this nonce', async () => {
      const browser = login.newBrowser();
      forum.person = unique('person');
      const nonce = unique('nonce-of-this-tab');
      const { ticket } = await login.land(browser, await login.toCallback(browser, '/', nonce));
      for (const other of [undefined, unique('nonce-of-another-tab')])
        expect((await bind({ ticket, nonce: other })).body.error).toBe('ticket_invalid');
      expect((await bind({ ticket, nonce })).body.data).toMatchObject({ created: true });
    });

    it.each(['', 'x'.repeat(15), 'x'.repeat(65), 'x'.repeat(16) + '%26', 'x'.repeat(16) + '%0A'])(
      'rejects the nonce %j',
      async (nonce) => {
        const { status, location, text, headers } = await login
          .newBrowser()
          .visit(`${AUTHORIZE}?nonce=${nonce}`);
        expect(status).toBe(400);
        expect(JSON.parse(text)).toMatchObject({
          error: 'invalid_request',
          details: [{ field: 'nonce' }],
        });
        expect(location).toBeUndefined();
        expect(headers.getSetCookie()).toEqual([]);
      },
    );

    it('rejects two nonces', async () => {
      const twice = `${AUTHORIZE}?nonce=${'x'.repeat(16)}&nonce=${'y'.repeat(16)}`;
      expect((await login.newBrowser().visit(twice)).status).toBe(400);
      expect((await bind({ ticket: 'x', nonce: ['x'.repeat(16)] })).body.error).toBe(
        'invalid_request',
      );
    });
  });

  describe('before it redeems the code', () => {
    const invalid = { error: 'oauth_state_invalid' };
    afterEach(() => expect(forum.calls).not.toContain('/token'));

    it('rejects a missing, repeated or invented state', async () => {
      const browser = login.newBrowser();
      const callback = await login.toCallback(browser);
      const state = new URL(callback).searchParams.get('state')!;
      for (const query of ['', '?code=x', '?code=x&state=', `?code=x&state=${'x'.repeat(43)}`])
        expect(await login.land(browser, CALLBACK + query)).toEqual(invalid);
      expect(await login.land(browser, `${callback}&state=${state}`)).toEqual(invalid);
      expect(await login.land(browser, `${CALLBACK}?code=x&state=${state.slice(0, 20)}`)).toEqual(
        invalid,
      );
    });

    it("rejects another browser's state", async () => {
      const [mine, other] = [login.newBrowser(), login.newBrowser()];
      const callback = await login.toCallback(mine);
      expect(await login.land(other, callback)).toEqual(invalid);
      await login.toCallback(other);
      expect(await login.land(other, callback)).toEqual(invalid);
    });

    it('rejects a cookie that is altered, from another login or of another kind', async () => {
      const browser = login.newBrowser();
      const callback = await login.toCallback(browser);
      const [cookie] = browser.cookies;
      const genuine = cookie!.value;
      const elsewhere = login.newBrowser();
      await login.toCallback(elsewhere);
      const player = await createPlayer(service);
      for (const value of [
        elsewhere.cookies[0]!.value,
        withChangedContent(genuine),
        `${genuine.slice(0, -4)}AAAA`,
        service.app.get(ForumTickets).issue('someone'),
        tokenOf(service, player),
        '',
      ]) {
        browser.cookies.splice(0, Infinity, { ...cookie!, value });
        expect(await login.land(browser, callback)).toEqual(invalid);
      }
    });

    it.each([
      'error=access_denied',
      'error=server_error',
      'error[x]=y',
      'error=a&error=b',
      'code[]=x',
    ])('checks the state before the reply %s', async (reply) => {
      const [mine, other] = [login.newBrowser(), login.newBrowser()];
      const state = new URL(await login.toCallback(mine)).searchParams.get('state')!;
      for (const foreign of ['', 'x'.repeat(43), state])
        for (const code of ['', '&code=x'])
          expect(await login.land(other, `${CALLBACK}?${reply}${code}&state=${foreign}`)).toEqual(
            invalid,
          );
    });

    it('rejects a state whose cookie follows another cookie of the same name', async () => {
      const browser = login.newBrowser();
      const callback = await login.toCallback(browser);
      const [genuine] = browser.cookies;
      const elsewhere = login.newBrowser();
      await login.toCallback(elsewhere);
      const foreign = { ...genuine!, value: elsewhere.cookies[0]!.value };
      browser.cookies.splice(0, Infinity, foreign, genuine!);
      expect(await login.land(browser, callback)).toEqual(invalid);
      browser.cookies.splice(0, Infinity, foreign, foreign);
      expect(await login.land(browser, callback)).toEqual(invalid);
    });

    it('rejects a state after five minutes, even if the browser kept the cookie', async () => {
      const browser = login.newBrowser();
      const callback = await login.toCallback(browser);
      for (const cookie of browser.cookies) cookie.expiresAt = Infinity;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 });
      expect(await login.land(browser, callback)).toEqual(invalid);
    });
  });

  it('rejects a HEAD request with method_not_allowed, without issuing or using up a state', async () => {
    const browser = login.newBrowser();
    const callback = await login.toCallback(browser);
    const cookies = structuredClone(browser.cookies);
    for (const address of [AUTHORIZE, callback]) {
      const { status, headers } = await browser.visit(address, undefined, 'HEAD');
      expect([status, headers.get('allow')]).toEqual([405, 'GET']);
    }
    expect(browser.cookies).toEqual(cookies);
    expect(await login.land(browser, callback)).toHaveProperty('ticket');
  });

  it('accepts a state once for parallel requests', async () => {
    const browser = login.newBrowser();
    const callback = await login.toCallback(browser);
    const kept = [...browser.cookies];
    const replays = await inParallel(() => {
      const again = login.newBrowser();
      again.cookies.push(...kept);
      return login.land(again, callback);
    });
    expect(replays.filter(({ ticket }) => ticket)).toHaveLength(1);
    expect(replays.filter(({ error }) => error === 'oauth_state_invalid')).toHaveLength(7);
  });

  it('accepts a state for just under five minutes', async () => {
    const browser = login.newBrowser();
    const callback = await login.toCallback(browser);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 295_000 });
    expect(await login.land(browser, callback)).toHaveProperty('ticket');
  });
});

function withChangedContent(signed: string): string {
  const [head, payload = '', signature] = signed.split('.');
  const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const changed = JSON.stringify({ ...content, returnTo: '/elsewhere' });
  return [head, Buffer.from(changed).toString('base64url'), signature].join('.');
}
