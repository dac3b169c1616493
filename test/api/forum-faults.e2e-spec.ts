import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ForumUnavailable } from '../../src/features/forum-auth/forum-auth.errors.js';
import { SingleUseService } from '../../src/features/links/single-use.service.js';
import { NoDatabaseConnection } from '../../src/platform/database/database-errors.js';
import { AppExceptionFilter } from '../../src/platform/http/errors/exception.filter.js';
import { unique } from '../support/accounts.js';
import type { TestApp } from '../support/api/app.js';
import { CALLBACK, ForumLogin, SIGN_IN } from '../support/api/forum-login.js';
import { type PlainForum, sendJson } from '../support/servers/plain-forum.js';

type Fault = (response: ServerResponse) => void;

/** Lists a broken forum's responses. PRIVATE must not appear in the log. */
const FAULTS: [string, Fault, string][] = [
  [
    'an error',
    (response) => sendJson(response, { error: 'boom', hint: 'PRIVATE' }, 500),
    'answered 500 (boom)',
  ],
  ['a page with 404', (response) => response.writeHead(404).end('<html>PRIVATE'), 'answered 404'],
  ['an empty body', (response) => response.end(), 'answered 200'],
  ['a page', (response) => response.end('<html>PRIVATE</html>'), 'answered 200'],
  ['half of an object', (response) => response.end('{"PRIVATE'), 'answered 200'],
  ['an empty object', (response) => sendJson(response, {}), 'answered 200'],
  ['a list', (response) => sendJson(response, [1]), 'answered 200'],
  ['null', (response) => sendJson(response, null), 'answered 200'],
  [
    'fields of the wrong type',
    (response) => sendJson(response, { access_token: 7, user: { id: {} } }),
    'answered 200',
  ],
  ['invalid UTF-8', (response) => response.end(Buffer.from([0xff, 0xfe, 0x7b])), 'answered 200'],
  ['a closed connection', (response) => response.destroy(), 'failed: '],
  [
    'a truncated response',
    (response) =>
      void response.writeHead(200, { 'Content-Length': 99 }).write('{', () => response.destroy()),
    'failed: ',
  ],
  [
    'a redirect',
    (response) => response.writeHead(302, { Location: '/PRIVATE' }).end(),
    'failed: unexpected redirect',
  ],
  [
    'an oversized response',
    (response) =>
      response.end(`{"access_token":"x","user":{"id":"1"},"more":"${'PRIVATE'.repeat(10_000)}"}`),
    'failed: the answer is larger than 65536 bytes',
  ],
];

let login: ForumLogin;
let forum: PlainForum;
let service: TestApp;

beforeAll(async () => {
  login = await ForumLogin.start();
  ({ forum, service } = login);
});
afterEach(() => forum.behave());
afterAll(() => login.stop());

/** Returns the logged reason for a login that fails with `forum_unavailable`. */
async function loggedReason(): Promise<string | undefined> {
  const recognise = vi.spyOn(service.app.get(AppExceptionFilter), 'recognise');
  expect(await login.complete()).toEqual({ error: 'forum_unavailable' });
  const reasons = recognise.mock.results.map(({ value }) => (value as ForumUnavailable).reason);
  recognise.mockRestore();
  expect(reasons).toHaveLength(1);
  return reasons[0];
}

describe('GET /api/forumauth/callback', () => {
  it('accepts a form-encoded token response, as older forums send it', async () => {
    const { token } = forum;
    forum.token = (request, response, body) => {
      const end = response.end.bind(response);
      response.end = ((json: string) =>
        end(new URLSearchParams(JSON.parse(json)).toString())) as ServerResponse['end'];
      token(request, response, body);
    };
    expect(await login.complete()).toHaveProperty('ticket');
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
  ])("maps the forum's redirect %j to %s and invalidates the state", async (query, error) => {
    const browser = login.newBrowser();
    const state = new URL(await login.toCallback(browser)).searchParams.get('state')!;
    const kept = [...browser.cookies];
    const callback = `${CALLBACK}?${query}&state=${state}`;
    expect(await login.land(browser, callback)).toEqual({ error });
    if (query.includes('error')) expect(forum.calls).not.toContain('/token');
    browser.cookies.push(...kept);
    expect(await login.land(browser, callback)).toEqual({ error: 'oauth_state_invalid' });
  });

  it.each<[string, Fault, string]>([
    ...FAULTS,
    [
      'an error in a form',
      (response) => response.writeHead(400).end('error=invalid_grant&access_token=PRIVATE'),
      'answered 400 (invalid_grant)',
    ],
    [
      'an error with status 200',
      (response) => sendJson(response, { error: 'temporarily_unavailable', hint: 'PRIVATE' }),
      'answered 200 (temporarily_unavailable)',
    ],
    [
      'a malformed error',
      (response) => sendJson(response, { error: 'PRIVATE\n<script>' }, 400),
      'answered 400',
    ],
  ])('returns forum_unavailable if the token endpoint sends %s', async (_, fault, reason) => {
    forum.token = (_request, response) => fault(response);
    const logged = await loggedReason();
    // Node.js decides how to describe a broken connection.
    if (reason === 'failed: ') expect(logged).toMatch(/^forum login: the token endpoint failed: ./);
    else expect(logged).toBe(`forum login: the token endpoint ${reason}`);
    expect(forum.calls).not.toContain('/PRIVATE');
    expect(forum.calls).not.toContain('/user');
  });

  it.each(FAULTS)('returns forum_unavailable if the user endpoint sends %s', async (_, fault) => {
    forum.userInfo = (_request, response) => fault(response);
    const logged = await loggedReason();
    expect(logged).toMatch(
      /^forum login: the user information (endpoint answered [45]\d\d|failed: .+|has no usable user\.id \(FORUM_ID_FIELD\))$/,
    );
    expect(logged).not.toContain('PRIVATE');
    expect(forum.calls).not.toContain('/PRIVATE');
  });

  it('waits at most five seconds for a forum that hangs or responds byte by byte', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(100));
    forum.token = () => undefined;
    expect(await login.complete()).toEqual({ error: 'forum_unavailable' });
    let drip: NodeJS.Timeout | undefined;
    forum.token = (_request, response) => {
      drip = setInterval(() => void response.write(' '), 10);
    };
    expect(await login.complete()).toEqual({ error: 'forum_unavailable' });
    clearInterval(drip);
    expect(limit.mock.calls).toEqual([[5000], [5000]]);
    limit.mockRestore();
  });

  it('sends the client secret in the header or the body, as the forum requires, and remembers which', async () => {
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
    expect(await login.complete()).toHaveProperty('ticket');
    expect(await login.complete()).toHaveProperty('ticket');
    expect(sent.splice(0)).toEqual([inBody, inHeader, inHeader]);
    forum.behave();
    wantSecretIn(inBody, (response) => sendJson(response, { error: 'invalid_client' }, 400));
    expect(await login.complete()).toHaveProperty('ticket');
    expect(await login.complete()).toHaveProperty('ticket');
    expect(sent).toEqual([inHeader, inBody, inBody]);
  });

  it('sends the access token in a header, not in the URL', async () => {
    forum.person = unique('person');
    const { userInfo } = forum;
    const addresses: (string | undefined)[] = [];
    forum.userInfo = (request, response, body) => {
      addresses.push(request.url);
      userInfo(request, response, body);
    };
    expect(await login.complete()).toHaveProperty('ticket');
    expect(addresses).toEqual(['/user']);
  });

  it('redirects to the front end after an internal error', async () => {
    const use = vi.spyOn(service.app.get(SingleUseService), 'use');
    const browser = login.newBrowser();
    const callback = await login.toCallback(browser);
    use.mockRejectedValueOnce(new NoDatabaseConnection(new Error('gone')));
    expect(await login.land(browser, callback)).toEqual({ error: 'service_unavailable' });
    use.mockRejectedValueOnce(new Error('SELECT secret'));
    expect(await login.land(browser, await login.toCallback(browser))).toEqual({
      error: 'internal_error',
    });
    use.mockRestore();
  });

  it('redirects to the front end when the address is throttled', async () => {
    await service.changeSettings({ rate_limit: { per_minute: 1 } });
    const call = () => service.client.get('/api/forumauth/callback', { from: '198.51.100.9' });
    expect((await call()).headers.get('location')).toBe(`${SIGN_IN}error=oauth_state_invalid`);
    expect((await call()).headers.get('location')).toBe(`${SIGN_IN}error=too_many_requests`);
  });
});
