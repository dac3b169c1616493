import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { problemsOf, SERVED } from '../../../test/support/served-environment.js';
import { parseEnvironment } from './parse-environment.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-environment-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('The front end and the API', () => {
  const sameSite = (front: string, api: string) =>
    parseEnvironment({ DATA_DIR: folder, FRONTEND_URL: front, PUBLIC_URL: api }).frontEndIsSameSite;

  it.each([
    ['https://play.example.com', 'https://play.example.com'],
    ['https://play.example.com', 'https://api.example.com:8443'],
    ['https://example.com', 'https://api.example.com'],
    ['http://localhost:5173', 'http://localhost:3001'],
    ['http://127.0.0.1:5173', 'http://127.0.0.1:3001'],
  ])('are one site at %s and %s', (front, api) => {
    expect(sameSite(front, api)).toBe(true);
  });

  it.each([
    ['https://play.example.com', 'https://play.example.org'],
    ['http://play.example.com', 'https://play.example.com'],
    ['http://192.0.2.1', 'http://198.51.2.1'],
    ['http://[2001:db8::1]', 'http://[2001:db8::2]'],
    ['http://localhost', 'http://127.0.0.1'],
  ])('are different sites at %s and %s', (front, api) => {
    expect(sameSite(front, api)).toBe(false);
  });
});

describe('The desk', () => {
  const portOf = (source: Record<string, string>) => parseEnvironment(source).DESK_PORT;

  it('is off unless a port is set or the database is embedded', () => {
    expect(portOf(SERVED)).toBe(0);
    expect(portOf({ ...SERVED, DESK_PORT: '3100' })).toBe(3100);
    expect(portOf({ DATA_DIR: folder })).toBe(3002);
    expect(portOf({ DATA_DIR: folder, DESK_PORT: '0' })).toBe(0);
    expect(parseEnvironment(SERVED).DESK_HOST).toBe('127.0.0.1');
  });

  it("must not share the port of the players' API", () => {
    expect(problemsOf({ ...SERVED, DESK_PORT: '3001' })).toEqual([
      'DESK_PORT must differ from PORT',
    ]);
    expect(problemsOf({ ...SERVED, PORT: '0', DESK_PORT: '0' })).toEqual([]);
    expect(problemsOf({ ...SERVED, DESK_PORT: 'x' })).toContain('DESK_PORT must be a whole number');
  });
});

describe('parseEnvironment', () => {
  it.each<Record<string, string>>([{}, { DATABASE_URL: '' }, { DATABASE_URL: ' ' }])(
    'rejects NODE_ENV=production without a database: %j',
    (given) => {
      const DATA_DIR = join(folder, 'unused');
      expect(problemsOf({ DATA_DIR, NODE_ENV: 'production', ...given })).toContain(
        'DATABASE_URL must be set: NODE_ENV=production has no embedded database',
      );
      expect(existsSync(DATA_DIR)).toBe(false);
      expect(problemsOf({ ...SERVED, NODE_ENV: 'production' })).toEqual([]);
    },
  );

  it('defaults to the embedded database on loopback with generated, stored secrets', () => {
    const first = parseEnvironment({ DATA_DIR: folder });
    expect(first).toMatchObject({
      embedded: true,
      HOST: '127.0.0.1',
      PORT: 3001,
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

  it('sets HOST to all addresses if DATABASE_URL is set, and derives PUBLIC_URL from the port', () => {
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

  it('treats an empty value as unset', () => {
    const environment = parseEnvironment({ ...SERVED, REDIS_URL: ' ', REDIS_PREFIX: '' });
    expect(environment.REDIS_URL).toBeUndefined();
    expect(environment.REDIS_PREFIX).toBe('gatehouse:');
  });

  it('reports all problems together', () => {
    const problems = problemsOf({
      DATABASE_URL: 'postgres://x',
      PORT: '70000',
      REDIS_URL: 'localhost:6379',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'true',
      FORUM_CLIENT_ID: 'gatehouse',
    });
    for (const name of [
      'DATABASE_URL',
      'PORT',
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
    ['an invalid port', { PORT: '70000' }, 'PORT must be between 0 and 65535'],
    [
      'a database URL without a name',
      { DATABASE_URL: 'mysql://gatehouse:secret@127.0.0.1:3306/' },
      'DATABASE_URL must name a database after the host',
    ],
    [
      'the password from .env.example',
      { DATABASE_URL: 'mysql://gatehouse:replace-with-the-database-password@mariadb/gatehouse' },
      'DATABASE_URL still has the password of .env.example',
    ],
    [
      'a Redis URL with an invalid port',
      { REDIS_URL: 'redis+sentinel://h1:26379,h2:port/mymaster' },
      'REDIS_URL has an invalid port',
    ],
    [
      'a prefix that would put every key on one node',
      { REDIS_PREFIX: '{gatehouse}:' },
      'REDIS_PREFIX must be up to 64 letters, digits and _ : . / -',
    ],
  ])('rejects %s', (_, change, problem) => {
    expect(problemsOf({ ...SERVED, ...change })).toEqual([problem]);
  });

  it('reports an unusable DATA_DIR and unreadable secrets in it', () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    expect(problemsOf({ DATA_DIR: file, LOG_LEVEL: 'loud' })).toEqual([
      expect.stringMatching(/^DATA_DIR cannot be used/),
      expect.stringMatching(/^LOG_LEVEL /),
    ]);
    const corrupt = mkdtempSync(join(folder, 'corrupt-'));
    writeFileSync(join(corrupt, 'secrets.json'), '{');
    expect(problemsOf({ DATA_DIR: corrupt }).join()).toMatch(/^DATA_DIR cannot be used.*secrets/);
  });

  it('accepts a DATA_DIR from which another process deletes its temporary files', () => {
    const shared = mkdtempSync(join(folder, 'shared-'));
    // A dangling link is listed, but cannot be opened, like a file that was deleted in between.
    symlinkSync('removed', join(shared, 'secrets.json.1'));
    expect(problemsOf({ DATA_DIR: shared })).toEqual([]);
  });
});
