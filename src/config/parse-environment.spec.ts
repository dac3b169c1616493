import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseEnvironment } from './parse-environment.js';
import { ConfigurationError } from './problems.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-environment-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SERVED = {
  DATABASE_URL: 'mysql://gatehouse:secret@127.0.0.1/gatehouse',
  PASSWORD_KEY: 'old-key-of-the-platform',
  JWT_SECRET: 'j'.repeat(32),
  GM_SECRET: 'g'.repeat(16),
};

function problemsOf(source: Record<string, string>): string[] {
  try {
    parseEnvironment(source);
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems;
  }
}

describe('the front end and the API', () => {
  const sameSite = (front: string, api: string) =>
    parseEnvironment({ DATA_DIR: folder, FRONTEND_URL: front, PUBLIC_URL: api }).frontEndIsSameSite;

  it.each([
    ['https://play.example.com', 'https://play.example.com'],
    ['https://play.example.com', 'https://api.example.com:8443'],
    ['https://example.com', 'https://api.example.com'],
    ['http://localhost:5173', 'http://localhost:3001'],
    ['http://127.0.0.1:5173', 'http://127.0.0.1:3001'],
  ])('are of one site at %s and %s', (front, api) => {
    expect(sameSite(front, api)).toBe(true);
  });

  it.each([
    ['https://play.example.com', 'https://play.example.org'],
    ['http://play.example.com', 'https://play.example.com'],
    ['http://192.0.2.1', 'http://198.51.2.1'],
    ['http://[2001:db8::1]', 'http://[2001:db8::2]'],
    ['http://localhost', 'http://127.0.0.1'],
  ])('are not at %s and %s', (front, api) => {
    expect(sameSite(front, api)).toBe(false);
  });
});

describe('the desk', () => {
  const portOf = (source: Record<string, string>) => parseEnvironment(source).DESK_PORT;

  it('is off unless it has a port; on the embedded database it has one', () => {
    expect(portOf(SERVED)).toBe(0);
    expect(portOf({ ...SERVED, DESK_PORT: '3100' })).toBe(3100);
    expect(portOf({ DATA_DIR: folder })).toBe(3002);
    expect(portOf({ DATA_DIR: folder, DESK_PORT: '0' })).toBe(0);
    expect(parseEnvironment(SERVED).DESK_HOST).toBe('127.0.0.1');
  });

  it('never shares the port of the players', () => {
    expect(problemsOf({ ...SERVED, DESK_PORT: '3001' })).toEqual([
      'DESK_PORT must be another port than PORT',
    ]);
    expect(problemsOf({ ...SERVED, PORT: '0', DESK_PORT: '0' })).toEqual([]);
    expect(problemsOf({ ...SERVED, DESK_PORT: 'x' })).toContain('DESK_PORT must be a whole number');
  });
});

describe('the environment', () => {
  it('needs nothing: it is embedded then, on loopback, with secrets of its own that stay', () => {
    const first = parseEnvironment({ DATA_DIR: folder });
    expect(first).toMatchObject({
      embedded: true,
      HOST: '127.0.0.1',
      PORT: 3001,
      WORKERS: 1,
      PUBLIC_URL: 'http://localhost:3001',
      FRONTEND_URL: 'http://localhost:3001',
      TRUST_PROXY: 'loopback',
    });
    expect(first.JWT_SECRET.length).toBeGreaterThanOrEqual(32);
    const again = parseEnvironment({ DATA_DIR: folder });
    expect(again.JWT_SECRET).toBe(first.JWT_SECRET);
    expect(again.PASSWORD_KEY).toBe(first.PASSWORD_KEY);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  it('listens everywhere once it has a database, and builds its addresses from the port', () => {
    const environment = parseEnvironment({
      ...SERVED,
      PORT: '4000',
      FRONTEND_URL: 'https://play.example/',
    });
    expect(environment).toMatchObject({
      embedded: false,
      HOST: '0.0.0.0',
      PUBLIC_URL: 'http://localhost:4000',
      FRONTEND_URL: 'https://play.example',
    });
  });

  it('takes an empty value for none', () => {
    const environment = parseEnvironment({ ...SERVED, REDIS_URL: ' ', REDIS_PREFIX: '' });
    expect(environment.REDIS_URL).toBeUndefined();
    expect(environment.REDIS_PREFIX).toBe('gatehouse:');
  });

  it('names every problem at once', () => {
    const problems = problemsOf({
      DATABASE_URL: 'postgres://x',
      PORT: '70000',
      WORKERS: 'many',
      REDIS_URL: 'localhost:6379',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'true',
      FORUM_CLIENT_ID: 'gatehouse',
    });
    for (const name of [
      'DATABASE_URL',
      'PORT',
      'WORKERS',
      'REDIS_URL',
      'LOG_LEVEL',
      'TRUST_PROXY',
      'PASSWORD_KEY',
      'JWT_SECRET',
      'GM_SECRET',
      'FORUM_TOKEN_URL',
    ])
      expect(
        problems.filter((problem) => problem.startsWith(name)),
        name,
      ).not.toEqual([]);
  });

  it.each([
    ['short secrets', { JWT_SECRET: 'j'.repeat(31) }, 'JWT_SECRET must be at least 32 bytes long'],
    [
      'equal secrets',
      { JWT_SECRET: 'x'.repeat(32), GM_SECRET: 'x'.repeat(32) },
      'JWT_SECRET and GM_SECRET must not be equal',
    ],
    [
      'a callback secret that is another',
      { GAME_CALLBACK_SECRET: 'g'.repeat(16) },
      'GM_SECRET and GAME_CALLBACK_SECRET must not be equal',
    ],
    [
      'three callback secrets',
      { GAME_CALLBACK_SECRET: 'a'.repeat(16) + ',' + 'b'.repeat(16) + ',' + 'c'.repeat(16) },
      'GAME_CALLBACK_SECRET must be one secret, or two separated by a comma',
    ],
    [
      'a callback secret of nothing but commas',
      { GAME_CALLBACK_SECRET: ' , ' },
      'GAME_CALLBACK_SECRET must be one secret, or two separated by a comma',
    ],
    [
      'a callback secret that is nothing but its mark',
      { GAME_CALLBACK_SECRET: 'v2:' },
      'GAME_CALLBACK_SECRET must be at least 16 bytes long',
    ],
    [
      'the same callback secret with and without its mark',
      { GAME_CALLBACK_SECRET: `v2:${'c'.repeat(16)},${'c'.repeat(16)}` },
      'GAME_CALLBACK_SECRET names the same secret twice',
    ],
    ['a port that is none', { PORT: '70000' }, 'PORT must be between 0 and 65535'],
    [
      'a database without a name',
      { DATABASE_URL: 'mysql://gatehouse:secret@127.0.0.1:3306/' },
      'DATABASE_URL must name a database after the host',
    ],
    [
      'the password of .env.example',
      { DATABASE_URL: 'mysql://gatehouse:replace-with-the-database-password@mariadb/gatehouse' },
      'DATABASE_URL still has the password of .env.example',
    ],
    [
      'the forum secret of .env.example',
      {
        FORUM_AUTHORIZE_URL: 'https://forum.example/authorize',
        FORUM_TOKEN_URL: 'https://forum.example/token',
        FORUM_USERINFO_URL: 'https://forum.example/userinfo',
        FORUM_CLIENT_ID: 'gatehouse',
        FORUM_CLIENT_SECRET: 'replace-with-the-client-secret',
      },
      'FORUM_CLIENT_SECRET still has the value of .env.example',
    ],
    [
      'a Redis without a master, on a port that is none',
      { REDIS_URL: 'redis+sentinel://h1:26379,h2:port' },
      'REDIS_URL names a port that is none, and must name the master after the sentinels: /mymaster',
    ],
    [
      'a prefix that would put every key on one node',
      { REDIS_PREFIX: '{gatehouse}:' },
      'REDIS_PREFIX must be up to 64 letters, digits and _ : . / -',
    ],
    [
      'everyone for a proxy',
      { TRUST_PROXY: '::/0' },
      'TRUST_PROXY must list addresses, CIDR blocks no wider than /8 (IPv6: /16), loopback, linklocal or uniquelocal, or say none',
    ],
    [
      'a hop count for a proxy',
      { TRUST_PROXY: '1' },
      'TRUST_PROXY must list addresses, CIDR blocks no wider than /8 (IPv6: /16), loopback, linklocal or uniquelocal, or say none',
    ],
  ])('refuses %s', (_, change, problem) => {
    expect(problemsOf({ ...SERVED, ...change })).toEqual([problem]);
  });

  it.each([
    '0.0.0.0/0',
    '0.0.0.0/1,128.0.0.0/1',
    '::/1, 8000::/1',
    '2000::/3',
    '::/0',
    '64.0.0.0/7',
    '::ffff:0.0.0.0/96',
  ])('refuses proxies that are a good part of the Internet: %s', (TRUST_PROXY) => {
    expect(problemsOf({ ...SERVED, TRUST_PROXY })).toEqual([
      expect.stringMatching(/^TRUST_PROXY must list addresses/),
    ]);
  });

  it.each([
    '10.0.0.0/8,172.16.0.0/12',
    'fc00::/7, fe80::/10',
    '2001:db8::/32',
    '203.0.113.7',
    '::1',
  ])('takes the proxies of a network: %s', (TRUST_PROXY) => {
    expect(parseEnvironment({ ...SERVED, TRUST_PROXY }).TRUST_PROXY).toBe(TRUST_PROXY);
  });

  it('takes a secret to the letter', () => {
    const PASSWORD_KEY = ' key that ends in a space ';
    expect(parseEnvironment({ ...SERVED, PASSWORD_KEY }).PASSWORD_KEY).toBe(PASSWORD_KEY);
    expect(problemsOf({ ...SERVED, PASSWORD_KEY: ' ' })).toEqual(['PASSWORD_KEY must be set']);
  });

  it('names a DATA_DIR that cannot be used, and secrets in it that cannot be read', () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    expect(problemsOf({ DATA_DIR: file, WORKERS: '0' })).toEqual([
      expect.stringMatching(/^DATA_DIR cannot be used/),
      expect.stringMatching(/^WORKERS /),
    ]);
    const corrupt = mkdtempSync(join(folder, 'corrupt-'));
    writeFileSync(join(corrupt, 'secrets.json'), '{');
    expect(problemsOf({ DATA_DIR: corrupt }).join()).toMatch(/^DATA_DIR cannot be used.*secrets/);
  });

  it('refuses each secret of .env.example', () => {
    const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
    const shown = [
      ...example.matchAll(/^#? ?(PASSWORD_KEY|JWT_SECRET|GM_SECRET|GAME_CALLBACK_SECRET)=(.+)$/gm),
    ];
    expect(shown.length).toBeGreaterThanOrEqual(3);
    for (const [, name = '', value = ''] of shown)
      expect(problemsOf({ ...SERVED, [name]: value }).join()).toContain('.env.example');
  });
});
