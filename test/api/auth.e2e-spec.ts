import { createHash, createHmac, createSecretKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { Environment } from '../../src/platform/config/environment.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer, tokenOf } from '../support/api/factories.js';
import { ProbeModule } from '../support/api/probe.js';

const CALLBACK_SECRETS: [string, string] = ['first-callback-secret', 'second-callback-secret'];
const RSA_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
let service: TestApp;

beforeAll(async () => {
  service = await startApp({
    extraModules: [ProbeModule],
    env: { GAME_CALLBACK_SECRET: CALLBACK_SECRETS.join() },
    settings: { game_server_ips: ['127.0.0.1', '192.0.2.0/24'] },
  });
});
afterAll(() => service.stop());

const me = (token: string) => service.client.get('/api/probe/me', { token });
const key = () => createSecretKey(Buffer.from(service.app.get(Environment).JWT_SECRET));

describe('A JWT', () => {
  it('can be read by another library, has the documented claims and expires after 24 hours', async () => {
    const player = await createPlayer(service, { ver: 3 });
    const { payload, protectedHeader } = await jwtVerify(tokenOf(service, player), key());
    expect(protectedHeader.alg).toBe('HS256');
    expect(payload).toEqual({
      sub: String(player.id),
      account: player.account,
      ver: 3,
      aud: 'web',
      iss: 'gatehouse',
      iat: expect.any(Number),
      exp: payload.iat! + 24 * 60 * 60,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('is accepted without an audience because earlier releases issued none', async () => {
    const player = await createPlayer(service);
    const token = await signedByJose(player, {});
    expect((await me(token)).body.data).toEqual({ id: player.id, account: player.account });
  });

  it('is accepted regardless of the case of the Bearer scheme', async () => {
    const player = await createPlayer(service);
    const token = tokenOf(service, player);
    expect((await me(token)).status).toBe(200);
    const answer = await service.client.get('/api/probe/me', {
      headers: { Authorization: `bearer ${token}` },
    });
    expect(answer.status).toBe(200);
  });

  it.each<[string, (player: Player) => Promise<string> | string]>([
    ['no content', () => ''],
    ['garbage instead of content', () => 'garbage'],
    [
      "another key's signature",
      (player) => signedByJose(player, {}, createSecretKey(Buffer.alloc(32, 7))),
    ],
    ['an HS384 signature', (player) => signedByJose(player, { alg: 'HS384' })],
    ['an HS512 signature', (player) => signedByJose(player, { alg: 'HS512' })],
    ['an RS256 signature', (player) => signedByJose(player, { alg: 'RS256' }, RSA_KEY)],
    ['an RS256 header and an HS256 signature', (player) => withHeader(player, { alg: 'RS256' })],
    ['a none header and an HS256 signature', (player) => withHeader(player, { alg: 'none' })],
    ['no algorithm in the header', (player) => withHeader(player, {})],
    ['no signature', (player) => new UnsecuredJWT(decodeJwt(tokenOf(service, player))).encode()],
    ['an expiry in the past', (player) => signedByJose(player, { exp: '-1s' })],
    ["the game servers' audience", (player) => signed(player, { aud: 'game' })],
    ['an unknown audience', (player) => signed(player, { aud: 'desk' })],
    ['several audiences', (player) => signed(player, { aud: ['web', 'game'] })],
    ['another issuer', (player) => signedByJose(player, { iss: 'elsewhere' })],
    ['no expiry', (player) => signed(player, { exp: undefined })],
    ['spaces around the subject', (player) => signed(player, { sub: ` ${player.id} ` })],
    ['a numeric subject', (player) => signed(player, { sub: player.id })],
    ['no account', (player) => signed(player, { account: undefined })],
    ['a fractional version', (player) => signed(player, { ver: 1.5 })],
    ['a deleted session', (player) => tokenOf(service, player, { sid: 12_345 })],
    ['a textual session', (player) => signed(player, { sid: '12345' })],
    ['a session of null', (player) => signed(player, { sid: null })],
    ['a fractional session', (player) => signed(player, { sid: 1.5 })],
    ['a changed claim', (player) => withChangedClaim(tokenOf(service, player))],
    ['an older version', (player) => tokenOf(service, player, { ver: 0 })],
    ['a future version', (player) => tokenOf(service, player, { ver: 2 })],
    ["another account's name", (player) => tokenOf(service, player, { account: 'another' })],
    ['a deleted account', (player) => tokenOf(service, player, { id: 999_999 })],
  ])('is rejected with %s', async (_, makeToken) => {
    const token = await makeToken(await createPlayer(service, { ver: 1 }));
    const answer = await me(token);
    expect(answer.status).toBe(401);
    expect(answer.body.error).toBe('unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('is rejected as soon as the account is disabled or its password is reset', async () => {
    const player = await createPlayer(service);
    const token = tokenOf(service, player);
    const players = service.database.getRepository(Player);
    await players.update(player.id, { disabledAt: new Date() });
    expect((await me(token)).body.error).toBe('account_disabled');
    await players.update(player.id, { disabledAt: null });
    expect((await me(token)).status).toBe(200);
    await players.update(player.id, { ver: 1 });
    expect((await me(token)).body.error).toBe('unauthorized');
  });

  it.each<[string, (token: string) => string]>([
    ['no scheme', (token) => token],
    ['another scheme', (token) => `JWT ${token}`],
    ['two spaces', (token) => `Bearer  ${token}`],
    ['a tab', (token) => `Bearer\t${token}`],
    ['text after the token', (token) => `Bearer ${token} more`],
    ['a comma after the token', (token) => `Bearer ${token},`],
    ['a second token', (token) => `Bearer ${token}, Bearer ${token}`],
    ['quotes', (token) => `Bearer "${token}"`],
    ['the scheme alone', () => 'Bearer'],
    ['nothing', () => ''],
  ])('is rejected in a header with %s', async (_, header) => {
    const token = tokenOf(service, await createPlayer(service));
    for (const path of ['/api/probe/me', '/api/probe/anyone']) {
      const headers = { Authorization: header(token) };
      const answer = await service.client.get(path, { headers });
      expect(answer.body.error, path).toBe('unauthorized');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('is read only from the Authorization header', async () => {
    const token = tokenOf(service, await createPlayer(service));
    const names = ['token', 'access_token', 'auth_token', 'jwt', 'authorization', 'Authorization'];
    const fields = Object.fromEntries(names.map((name) => [name, token]));
    const query = new URLSearchParams(fields).toString();
    const headers = {
      Cookie: names.map((name) => `${name}=${token}`).join('; '),
      'X-Access-Token': token,
      'Proxy-Authorization': `Bearer ${token}`,
    };
    const got = await service.client.get(`/api/probe/me?${query}`, { headers });
    expect(got.body.error).toBe('unauthorized');
    const body = { name: 'x', server_id: 1, ...fields };
    const posted = await service.client.post(`/api/probe/protected?${query}`, body, { headers });
    expect(posted.body.error).toBe('unauthorized');
  });

  it('is required before the body is parsed', async () => {
    const answer = await service.client.post('/api/probe/protected', '{');
    expect(answer.body.error).toBe('unauthorized');
  });
});

describe('A public route', () => {
  it('ignores an invalid JWT', async () => {
    const answer = await service.client.get('/api/probe/word?word=x', { token: 'garbage' });
    expect(answer.status).toBe(200);
  });

  it('with optional authentication rejects a JWT that is no longer valid', async () => {
    const player = await createPlayer(service);
    const token = tokenOf(service, player);
    const anyone = (sent?: string) => service.client.get('/api/probe/anyone', { token: sent });
    expect((await anyone()).body.data).toEqual({ id: null });
    expect((await anyone(token)).body.data).toEqual({ id: player.id });
    expect((await anyone('garbage')).body.error).toBe('unauthorized');
    const players = service.database.getRepository(Player);
    await players.update(player.id, { disabledAt: new Date() });
    expect((await anyone(token)).body.error).toBe('account_disabled');
    await players.update(player.id, { disabledAt: null, ver: 1 });
    const ended = await anyone(token);
    expect(ended.body.error).toBe('unauthorized');
    expect(ended.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('A JWT that cannot be checked against the database', () => {
  /** Requests a route that requires a JWT and a route where a JWT is optional. */
  async function errorsOf(app: TestApp): Promise<string[]> {
    const token = tokenOf(app, { id: 1, account: 'somebody', ver: 0 });
    const paths = ['/api/probe/me', '/api/probe/anyone'];
    const answers = await Promise.all(paths.map((path) => app.client.get(path, { token })));
    for (const { headers } of answers) expect(headers.get('www-authenticate')).toBeNull();
    return answers.map(({ status, body }) => `${status} ${body.error}`);
  }

  it('leads to a 503 while the database is unreachable', async () => {
    // Nothing listens on port 1.
    const env = { DATABASE_URL: 'mysql://nobody@127.0.0.1:1/gatehouse' };
    const app = await startApp({ extraModules: [ProbeModule], env });
    expect(await errorsOf(app)).toEqual(Array(2).fill('503 service_unavailable'));
    await app.stop();
  });

  it('leads to a 500 if the query fails', async () => {
    const app = await startApp({ extraModules: [ProbeModule] });
    await app.database.query('ALTER TABLE player RENAME TO player_elsewhere');
    expect(await errorsOf(app)).toEqual(Array(2).fill('500 internal_error'));
    await app.stop();
  });
});

describe('A game-server callback', () => {
  const BODY = JSON.stringify({ name: 'x', server_id: 1 });

  interface Call {
    secret?: string;
    age?: number;
    sent?: string;
    from?: string;
    suffix?: string;
    encoding?: string;
    /** The request is sent to this target, although the signature is for `?a=1`. */
    target?: string;
  }

  function call(given: Call) {
    const { secret = CALLBACK_SECRETS[0], age = 0, sent = BODY, from = '192.0.2.7' } = given;
    const timestamp = String(Math.floor(Date.now() / 1000) - age);
    const signedTarget = '/api/probe/callback?a=1';
    const digest = createHash('sha256').update(BODY).digest('hex');
    const text = `${timestamp}\nPOST\n${signedTarget}\n${digest}`;
    const signature = createHmac('sha256', secret).update(text).digest('hex');
    return service.client.post(given.target ?? signedTarget, sent, {
      from,
      headers: {
        'X-Timestamp': timestamp,
        'X-Signature': signature + (given.suffix ?? ''),
        ...(given.encoding && { 'Content-Encoding': given.encoding }),
      },
    });
  }

  it('is accepted from an allowed address with either configured secret', async () => {
    for (const secret of CALLBACK_SECRETS) expect((await call({ secret })).status).toBe(200);
    expect((await call({ age: 290 })).status).toBe(200);
    expect((await call({ age: -290 })).status).toBe(200);
  });

  it.each([
    ['text after the signature', { suffix: 'xx' }],
    ['another address', { from: '203.0.113.1' }],
    ['another secret', { secret: 'third-callback-secret' }],
    ['an old timestamp', { age: 310 }],
    ['a future timestamp', { age: -310 }],
    ['another body', { sent: BODY.replace('x', 'y') }],
    ['another query', { target: '/api/probe/callback?a=2' }],
  ])('is rejected with %s', async (_, change) => {
    const answer = await call(change);
    expect(answer.status).toBe(403);
    expect(answer.body.error).toBe('caller_not_allowed');
  });

  it('is rejected if its body is compressed', async () => {
    const answer = await call({ encoding: 'gzip' });
    expect(answer.body.error).toBe('unsupported_media_type');
  });

  it('is rejected without a signature before the body is parsed', async () => {
    const unsigned = { from: '192.0.2.7' };
    const posted = await service.client.post('/api/probe/callback', '{', unsigned);
    expect(posted.body.error).toBe('caller_not_allowed');
    for (const path of ['/api/probe/callback', '/api/probe/callbacks'])
      expect((await service.client.get(path, unsigned)).body.error).toBe('caller_not_allowed');
  });
});

function signedByJose(
  { id, account, ver }: Player,
  { alg = 'HS256', exp = '1h', iss = 'gatehouse' },
  signingKey = key(),
): Promise<string> {
  return new SignJWT({ account, ver })
    .setProtectedHeader({ alg })
    .setSubject(String(id))
    .setIssuer(iss)
    .setIssuedAt()
    .setExpirationTime(exp)
    .sign(signingKey);
}

/** Signs claims that the service itself never issues, with the service's key. */
function signed(player: Player, claims: Record<string, unknown>): Promise<string> {
  const payload = { ...decodeJwt(tokenOf(service, player)), ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(key());
}

/** Signs with the service's key and HMAC-SHA256, regardless of the algorithm in the header. */
function withHeader(player: Player, header: object): string {
  const [, payload] = tokenOf(service, player).split('.');
  const head = Buffer.from(JSON.stringify({ typ: 'JWT', ...header })).toString('base64url');
  const signature = createHmac('sha256', key()).update(`${head}.${payload}`).digest('base64url');
  return `${head}.${payload}.${signature}`;
}

function withChangedClaim(token: string): string {
  const [head, , signature] = token.split('.');
  expect(decodeProtectedHeader(token).alg).toBe('HS256');
  const payload = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: '1' })).toString(
    'base64url',
  );
  return `${head}.${payload}.${signature}`;
}
