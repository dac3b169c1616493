import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ForumUnavailable } from '../../src/features/forum-auth/forum-auth.errors.js';
import { UsedTokenStore } from '../../src/features/forum-auth/used-token-store.js';
import { Tickets } from '../../src/features/forum-auth/tickets.js';
import { NoDatabaseConnection } from '../../src/platform/database/database-errors.js';
import { AppExceptionFilter } from '../../src/platform/http/errors/exception.filter.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { Browser } from '../support/api/browser.js';
import { createPlayer, tokenOf, unique } from '../support/api/factories.js';
import { PlainForum, sendJson } from '../support/servers/plain-forum.js';

const PUBLIC_URL = 'https://play.example';
const AUTHORIZE = `${PUBLIC_URL}/api/forumauth/authorize`;
const CALLBACK = `${PUBLIC_URL}/api/forumauth/callback`;
const SIGN_IN = 'https://www.example/game/signin#';

let forum: PlainForum;
let service: TestApp;

beforeAll(async () => {
  forum = await PlainForum.start(PUBLIC_URL);
  const env = { ...forum.env, FRONTEND_URL: 'https://www.example/game/' };
  service = await startApp({ env });
});
afterEach(() => {
  vi.useRealTimers();
  forum.behave();
});
afterAll(async () => {
  await service.stop();
  await forum.stop();
});

const newBrowser = () => new Browser({ [PUBLIC_URL]: service.url });

/** The way to the forum and back, up to the address that the forum sends the person to. */
function toCallback(browser: Browser, returnTo?: string, nonce?: string): Promise<string> {
  const query = new URLSearchParams({
    ...(returnTo !== undefined && { return_to: returnTo }),
    ...(nonce !== undefined && { nonce }),
  });
  return browser.follow(`${AUTHORIZE}?${query.toString()}`, CALLBACK);
}

/** What the front end is told when the browser comes back to this address. */
async function land(browser: Browser, callback: string): Promise<Record<string, string>> {
  const { status, headers, location = '' } = await browser.visit(callback);
  expect(status).toBe(302);
  expect(location.startsWith(SIGN_IN)).toBe(true);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  return Object.fromEntries(new URLSearchParams(location.slice(SIGN_IN.length)));
}

async function wholeWay(returnTo?: string): Promise<Record<string, string>> {
  const browser = newBrowser();
  return land(browser, await toCallback(browser, returnTo));
}

describe('GET /api/forumauth/authorize', () => {
  it('leads to the forum with a state of 256 bits and an S256 challenge, and keeps the address as it was set', async () => {
    const { status, headers, location } = await newBrowser().visit(AUTHORIZE);
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

  it('binds the state to the browser by a cookie that scripts and other sites cannot use', async () => {
    const { headers } = await newBrowser().visit(AUTHORIZE);
    const [cookie = '', ...others] = headers.getSetCookie();
    expect(others).toEqual([]);
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

  it('sets out whatever else is in the query: what a forum sends back counts at the callback alone', async () => {
    const reply = `?code=x&state=y&error=access_denied`;
    const { status, location } = await newBrowser().visit(AUTHORIZE + reply);
    expect(status).toBe(302);
    expect(location).toContain(forum.env.FORUM_AUTHORIZE_URL);
    expect(new URL(location!).searchParams.get('state')).toMatch(/^[\w-]{43}$/);
    expect(forum.calls).toEqual([]);
  });

  it('keeps few logins of one browser under way, the newest ones', async () => {
    const browser = newBrowser();
    const callbacks: string[] = [];
    for (let tab = 0; tab < 8; tab++) callbacks.push(await toCallback(browser));
    expect(browser.cookies).toHaveLength(5);
    expect(await land(browser, callbacks[0]!)).toEqual({ error: 'oauth_state_invalid' });
    expect(await land(browser, callbacks[7]!)).toHaveProperty('ticket');
    expect(await land(browser, callbacks[3]!)).toHaveProperty('ticket');
  });
});

describe('GET /api/forumauth/callback', () => {
  it('ends on the front end with a ticket, and leaves no cookie', async () => {
    forum.person = unique('person');
    const browser = newBrowser();
    const news = await land(browser, await toCallback(browser, '/withdraw?server_id=1'));
    expect(news).toEqual({
      ticket: expect.any(String),
      linked: '0',
      return_to: '/withdraw?server_id=1',
    });
    expect(browser.cookies).toEqual([]);
  });

  it('says whether the identity has an account', async () => {
    forum.person = 10_293;
    const { account } = await createPlayer(service);
    await service.client.post('/api/bind_account', { account, connect_id: '10293' });
    expect(await wholeWay()).toMatchObject({ linked: '1', return_to: '/' });
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/%2f%2fevil.example'])(
    'does not carry %j along',
    async (returnTo) => {
      expect(await wholeWay(returnTo)).toMatchObject({ return_to: '/' });
    },
  );

  it('leads on to the same page after an error, for the browser that set out for it', async () => {
    const browser = newBrowser();
    const callback = await toCallback(browser, '/withdraw');
    const denied = `${callback}&error=access_denied`;
    const kept = [...browser.cookies];
    expect(await land(newBrowser(), denied)).toEqual({ error: 'oauth_state_invalid' });
    expect(await land(browser, denied)).toEqual({ error: 'forum_denied', return_to: '/withdraw' });
    expect(browser.cookies).toEqual([]);
    const used = { error: 'oauth_state_invalid', return_to: '/withdraw' };
    browser.cookies.push(...kept);
    expect(await land(browser, callback)).toEqual(used);
    browser.cookies.push({ ...kept[0]!, value: withChangedContent(kept[0]!.value) });
    expect(await land(browser, callback)).toEqual({ error: 'oauth_state_invalid' });
  });

  it('serves two tabs of one browser, in either order', async () => {
    const browser = newBrowser();
    forum.person = unique('person');
    const first = await toCallback(browser, '/agree');
    const second = await toCallback(browser, '/withdraw');
    expect(await land(browser, second)).toMatchObject({ return_to: '/withdraw' });
    expect(await land(browser, first)).toMatchObject({ return_to: '/agree' });
  });

  describe('with a nonce of the front end', () => {
    const bind = (body: object) => service.client.post('/api/forumauth/bind', body);

    it.each(['Az09_-Az09_-Az09', 'x'.repeat(64)])('brings %s back', async (nonce) => {
      const browser = newBrowser();
      forum.person = unique('person');
      expect(await land(browser, await toCallback(browser, '/withdraw', nonce))).toEqual({
        ticket: expect.any(String),
        linked: '0',
        return_to: '/withdraw',
        nonce,
      });
    });

    it('brings it back after an error too, but only to the browser that set out with it', async () => {
      const browser = newBrowser();
      const nonce = unique('nonce-of-this-tab');
      const callback = await toCallback(browser, '/', nonce);
      const kept = [...browser.cookies];
      expect(await land(newBrowser(), callback)).toEqual({ error: 'oauth_state_invalid' });
      const denied = `${callback}&error=access_denied`;
      expect(await land(browser, denied)).toEqual({ error: 'forum_denied', nonce });
      browser.cookies.push(...kept);
      expect(await land(browser, callback)).toEqual({ error: 'oauth_state_invalid', nonce });
    });

    it('gives a ticket that serves with this nonce alone', async () => {
      const browser = newBrowser();
      forum.person = unique('person');
      const nonce = unique('nonce-of-this-tab');
      const { ticket } = await land(browser, await toCallback(browser, '/', nonce));
      for (const other of [undefined, unique('nonce-of-another-tab')])
        expect((await bind({ ticket, nonce: other })).body.error).toBe('ticket_invalid');
      expect((await bind({ ticket, nonce })).body.data).toMatchObject({ created: true });
    });

    it('serves no front end that started a login of its own, where the ticket was got without', async () => {
      forum.person = unique('person');
      const { ticket } = await wholeWay();
      const stolen = await bind({ ticket, nonce: unique('nonce-of-the-victim') });
      expect(stolen.body.error).toBe('ticket_invalid');
      expect((await bind({ ticket })).body.data).toMatchObject({ created: true });
    });

    it.each(['', 'x'.repeat(15), 'x'.repeat(65), 'x'.repeat(16) + '%26', 'x'.repeat(16) + '%0A'])(
      'goes nowhere with %j',
      async (nonce) => {
        const { status, location, text, headers } = await newBrowser().visit(
          `${AUTHORIZE}?nonce=${nonce}`,
        );
        expect(status).toBe(400);
        expect(JSON.parse(text)).toMatchObject({
          error: 'invalid_request',
          details: [{ field: 'nonce' }],
        });
        expect(location).toBeUndefined();
        expect(headers.getSetCookie()).toEqual([]);
      },
    );

    it('goes nowhere with two of them', async () => {
      const twice = `${AUTHORIZE}?nonce=${'x'.repeat(16)}&nonce=${'y'.repeat(16)}`;
      expect((await newBrowser().visit(twice)).status).toBe(400);
      expect((await bind({ ticket: 'x', nonce: ['x'.repeat(16)] })).body.error).toBe(
        'invalid_request',
      );
    });
  });

  it('takes a token answer in form encoding, as older forums give it', async () => {
    const { token } = forum;
    forum.token = (request, response, body) => {
      const end = response.end.bind(response);
      response.end = ((json: string) =>
        end(new URLSearchParams(JSON.parse(json)).toString())) as ServerResponse['end'];
      token(request, response, body);
    };
    expect(await wholeWay()).toHaveProperty('ticket');
  });

  describe('refuses a state', () => {
    const invalid = { error: 'oauth_state_invalid' };
    afterEach(() => expect(forum.calls).not.toContain('/token'));

    it('that is missing, sent twice or made up', async () => {
      const browser = newBrowser();
      const callback = await toCallback(browser);
      const state = new URL(callback).searchParams.get('state')!;
      for (const query of ['', '?code=x', '?code=x&state=', `?code=x&state=${'x'.repeat(43)}`])
        expect(await land(browser, CALLBACK + query)).toEqual(invalid);
      expect(await land(browser, `${callback}&state=${state}`)).toEqual(invalid);
      expect(await land(browser, `${CALLBACK}?code=x&state=${state.slice(0, 20)}`)).toEqual(
        invalid,
      );
    });

    it('that another browser was given', async () => {
      const [mine, other] = [newBrowser(), newBrowser()];
      const callback = await toCallback(mine);
      expect(await land(other, callback)).toEqual(invalid);
      await toCallback(other);
      expect(await land(other, callback)).toEqual(invalid);
    });

    it('whose cookie is of another login, was tampered with, or is something else that we signed', async () => {
      const browser = newBrowser();
      const callback = await toCallback(browser);
      const [cookie] = browser.cookies;
      const genuine = cookie!.value;
      const elsewhere = newBrowser();
      await toCallback(elsewhere);
      const player = await createPlayer(service);
      for (const value of [
        elsewhere.cookies[0]!.value,
        withChangedContent(genuine),
        `${genuine.slice(0, -4)}AAAA`,
        service.app.get(Tickets).issue('someone'),
        tokenOf(service, player),
        '',
      ]) {
        browser.cookies.splice(0, Infinity, { ...cookie!, value });
        expect(await land(browser, callback)).toEqual(invalid);
      }
    });

    it.each([
      'error=access_denied',
      'error=server_error',
      'error[x]=y',
      'error=a&error=b',
      'code[]=x',
    ])('before it looks at %s', async (reply) => {
      const [mine, other] = [newBrowser(), newBrowser()];
      const state = new URL(await toCallback(mine)).searchParams.get('state')!;
      for (const foreign of ['', 'x'.repeat(43), state])
        for (const code of ['', '&code=x'])
          expect(await land(other, `${CALLBACK}?${reply}${code}&state=${foreign}`)).toEqual(
            invalid,
          );
    });

    it('whose cookie stands behind another of the same name, and takes none but its own', async () => {
      const browser = newBrowser();
      const callback = await toCallback(browser);
      const [genuine] = browser.cookies;
      const elsewhere = newBrowser();
      await toCallback(elsewhere);
      const foreign = { ...genuine!, value: elsewhere.cookies[0]!.value };
      browser.cookies.splice(0, Infinity, foreign, genuine!);
      expect(await land(browser, callback)).toEqual(invalid);
      browser.cookies.splice(0, Infinity, foreign, foreign);
      expect(await land(browser, callback)).toEqual(invalid);
    });

    it('that is older than five minutes, even if the browser kept its cookie', async () => {
      const browser = newBrowser();
      const callback = await toCallback(browser);
      for (const cookie of browser.cookies) cookie.expiresAt = Infinity;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 });
      expect(await land(browser, callback)).toEqual(invalid);
    });
  });

  it('takes a state once, also when it is brought many times at once', async () => {
    const browser = newBrowser();
    const callback = await toCallback(browser);
    const kept = [...browser.cookies];
    const replays = await Promise.all(
      Array.from({ length: 10 }, () => {
        const again = newBrowser();
        again.cookies.push(...kept);
        return land(again, callback);
      }),
    );
    expect(replays.filter(({ ticket }) => ticket)).toHaveLength(1);
    expect(replays.filter(({ error }) => error === 'oauth_state_invalid')).toHaveLength(9);
  });

  it('takes a state for just under five minutes', async () => {
    const browser = newBrowser();
    const callback = await toCallback(browser);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 295_000 });
    expect(await land(browser, callback)).toHaveProperty('ticket');
  });

  it.each([
    ['error=access_denied', 'forum_denied'],
    ['error=user_cancelled_login', 'forum_denied'],
    ['error=access_denied&code=x', 'forum_denied'],
    ['error=server_error', 'forum_unavailable'],
    ['error=server_error&code=x', 'forum_unavailable'],
    ['', 'forum_unavailable'],
    ['code=', 'forum_unavailable'],
    ['code=a&code=b', 'forum_unavailable'],
    ['code=not-of-this-forum', 'forum_unavailable'],
  ])('answers the reply %j with %s, and the state is used up', async (query, error) => {
    const browser = newBrowser();
    const state = new URL(await toCallback(browser)).searchParams.get('state')!;
    const kept = [...browser.cookies];
    const callback = `${CALLBACK}?${query}&state=${state}`;
    expect(await land(browser, callback)).toEqual({ error });
    if (query.includes('error')) expect(forum.calls).not.toContain('/token');
    browser.cookies.push(...kept);
    expect(await land(browser, callback)).toEqual({ error: 'oauth_state_invalid' });
  });

  type Fault = (response: ServerResponse) => void;
  const faults: [string, Fault][] = [
    ['500', (response) => sendJson(response, { error: 'boom' }, 500)],
    ['404 with a page', (response) => response.writeHead(404).end('<html>')],
    ['nothing', (response) => response.end()],
    ['a page', (response) => response.end('<html>Maintenance</html>')],
    ['an empty object', (response) => sendJson(response, {})],
    ['a list', (response) => sendJson(response, [1])],
    ['null', (response) => sendJson(response, null)],
    [
      'types that are wrong',
      (response) => sendJson(response, { access_token: 7, user: { id: {} } }),
    ],
    ['broken UTF-8', (response) => response.end(Buffer.from([0xff, 0xfe, 0x7b]))],
    ['a reset connection', (response) => response.destroy()],
    [
      'half an answer',
      (response) =>
        void response.writeHead(200, { 'Content-Length': 99 }).write('{', () => response.destroy()),
    ],
    ['a redirect', (response) => response.writeHead(302, { Location: '/elsewhere' }).end()],
    [
      'too much',
      (response) =>
        response.end(`{"access_token":"x","user":{"id":"1"},"more":"${'x'.repeat(70_000)}"}`),
    ],
  ];

  it.each(faults)('answers a token endpoint that gives %s', async (_, fault) => {
    forum.token = (_request, response) => fault(response);
    expect(await wholeWay()).toEqual({ error: 'forum_unavailable' });
    expect(forum.calls).not.toContain('/elsewhere');
    expect(forum.calls).not.toContain('/user');
  });

  it.each(faults)('answers user information that is %s', async (_, fault) => {
    forum.userInfo = (_request, response) => fault(response);
    expect(await wholeWay()).toEqual({ error: 'forum_unavailable' });
    expect(forum.calls).not.toContain('/elsewhere');
  });

  it.each([0, '', null, { id: 1 }, 'x'.repeat(129)])(
    'takes no person called %j',
    async (person) => {
      forum.person = person;
      expect(await wholeWay()).toEqual({ error: 'forum_unavailable' });
    },
  );

  it('waits five seconds for a forum that hangs or drips, and not longer', async () => {
    const browser = newBrowser();
    const callbacks = [await toCallback(browser), await toCallback(browser)];
    const drips: NodeJS.Timeout[] = [];
    forum.token = (_request, response) => {
      if (drips.length === 0) drips.push(setInterval(() => void response.write(' '), 200));
    };
    const started = performance.now();
    const landings = await Promise.all(callbacks.map((callback) => land(browser, callback)));
    clearInterval(drips[0]);
    expect(landings).toEqual([{ error: 'forum_unavailable' }, { error: 'forum_unavailable' }]);
    expect(performance.now() - started).toBeGreaterThan(4900);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('sends the secret where the forum wants it, and starts there the next time', async () => {
    forum.person = unique('person');
    const [inBody, inHeader] = ['secret-of-the-plain-forum', 'gatehouse:secret-of-the-plain-forum'];
    const sent: string[] = [];
    const wantSecretIn = (wanted: string, refuse: Fault) => {
      const { token } = forum;
      forum.token = (request, response, body) => {
        const form = new URLSearchParams(body);
        const basic = request.headers.authorization?.replace(/^Basic /, '');
        sent.push([...form.getAll('client_secret'), ...(basic ? [atob(basic)] : [])].join());
        form.set('client_secret', inBody);
        if (sent.at(-1) === wanted) token(request, response, form.toString());
        else refuse(response);
      };
    };
    wantSecretIn(inHeader, (response) => sendJson(response, {}, 401));
    expect(await wholeWay()).toHaveProperty('ticket');
    expect(await wholeWay()).toHaveProperty('ticket');
    expect(sent.splice(0)).toEqual([inBody, inHeader, inHeader]);
    forum.behave();
    wantSecretIn(inBody, (response) => sendJson(response, { error: 'invalid_client' }, 400));
    expect(await wholeWay()).toHaveProperty('ticket');
    expect(await wholeWay()).toHaveProperty('ticket');
    expect(sent).toEqual([inHeader, inBody, inBody]);
  });

  it('names the access token in a header, not in an address that others may log', async () => {
    forum.person = unique('person');
    const { userInfo } = forum;
    const addresses: (string | undefined)[] = [];
    forum.userInfo = (request, response, body) => {
      addresses.push(request.url);
      userInfo(request, response, body);
    };
    expect(await wholeWay()).toHaveProperty('ticket');
    expect(addresses).toEqual(['/user']);
  });

  it.each<[string, Fault, string]>([
    [
      'a named error',
      (response) =>
        sendJson(response, { error: 'invalid_grant', error_description: 'PRIVATE' }, 400),
      'the token endpoint answered 400 (invalid_grant)',
    ],
    [
      'a named error in a form',
      (response) => response.writeHead(400).end('error=invalid_grant&access_token=PRIVATE'),
      'the token endpoint answered 400 (invalid_grant)',
    ],
    [
      'an error with status 200',
      (response) => sendJson(response, { error: 'temporarily_unavailable', hint: 'PRIVATE' }),
      'the token endpoint answered 200 (temporarily_unavailable)',
    ],
    [
      'an ill-formed error',
      (response) => sendJson(response, { error: 'PRIVATE\n<script>' }, 400),
      'the token endpoint answered 400',
    ],
    ['a page', (response) => response.end('<html>PRIVATE'), 'the token endpoint answered 200'],
    [
      'half of an object',
      (response) => response.end('{"PRIVATE'),
      'the token endpoint answered 200',
    ],
    ['null', (response) => response.end('null'), 'the token endpoint answered 200'],
    [
      'a redirect',
      (response) => response.writeHead(302, { Location: '/PRIVATE' }).end(),
      'the token endpoint failed: unexpected redirect',
    ],
    [
      'too much',
      (response) => response.end('PRIVATE'.repeat(10_000)),
      'the token endpoint failed: the answer is larger than 65536 bytes',
    ],
  ])('logs of a token endpoint that gives %s no more than a name', async (_, fault, reason) => {
    forum.token = (_request, response) => fault(response);
    expect(await reasonOf(wholeWay())).toBe(`forum login: ${reason}`);
  });

  it.each<[string, Fault, string]>([
    [
      'an error',
      (response) => sendJson(response, { error: 'PRIVATE' }, 403),
      'the user information answered 403',
    ],
    [
      'half of an object',
      (response) => response.end('{"PRIVATE'),
      'the user information has no usable user.id (FORUM_ID_FIELD)',
    ],
  ])('logs of user information that is %s nothing', async (_, fault, reason) => {
    forum.userInfo = (_request, response) => fault(response);
    expect(await reasonOf(wholeWay())).toBe(`forum login: ${reason}`);
  });

  /** What the exception filter logs of a login that fails with `forum_unavailable`. */
  async function reasonOf(landing: Promise<Record<string, string>>): Promise<unknown> {
    const recognise = vi.spyOn(service.app.get(AppExceptionFilter), 'recognise');
    expect(await landing).toEqual({ error: 'forum_unavailable' });
    const logged = recognise.mock.results.map(({ value }) => (value as ForumUnavailable).reason);
    recognise.mockRestore();
    expect(logged).toHaveLength(1);
    return logged[0];
  }

  it('lands on the front end also when the fault is ours', async () => {
    const use = vi.spyOn(service.app.get(UsedTokenStore), 'use');
    const browser = newBrowser();
    const callback = await toCallback(browser);
    use.mockRejectedValueOnce(new NoDatabaseConnection(new Error('gone')));
    expect(await land(browser, callback)).toEqual({ error: 'service_unavailable' });
    use.mockRejectedValueOnce(new Error('SELECT secret'));
    expect(await land(browser, await toCallback(browser))).toEqual({ error: 'internal_error' });
    use.mockRestore();
  });

  it('lands on the front end when the address has asked too often', async () => {
    await service.changeSettings({ rate_limit: { per_minute: 1 } });
    const call = () => service.client.get('/api/forumauth/callback', { from: '198.51.100.9' });
    expect((await call()).headers.get('location')).toBe(`${SIGN_IN}error=oauth_state_invalid`);
    expect((await call()).headers.get('location')).toBe(`${SIGN_IN}error=too_many_requests`);
  });
});

describe('without a forum in the environment', () => {
  it('the routes do not exist', async () => {
    const plain = await startApp();
    for (const path of ['authorize', 'callback', 'callback?code=x&state=y'])
      expect((await plain.client.get(`/api/forumauth/${path}`)).body.error).toBe('not_found');
    expect((await plain.client.post('/api/forumauth/bind', {})).body.error).toBe('not_found');
    await plain.stop();
  });
});

function withChangedContent(signed: string): string {
  const [head, payload = '', signature] = signed.split('.');
  const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const changed = JSON.stringify({ ...content, returnTo: '/elsewhere' });
  return [head, Buffer.from(changed).toString('base64url'), signature].join('.');
}
