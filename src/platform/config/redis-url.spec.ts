import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { problemsOf } from './host-list-url.js';
import { parseRedisUrl } from './redis-url.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-redis-url-'));
const ca = join(folder, 'ca.pem');
writeFileSync(ca, 'a certificate');
afterAll(() => rmSync(folder, { recursive: true }));

describe('REDIS_URL', () => {
  it('can name one server', () => {
    expect(parseRedisUrl('redis://cache')).toEqual({
      kind: 'single',
      hosts: [{ host: 'cache', port: 6379 }],
      db: 0,
    });
    expect(parseRedisUrl('redis://[::1]:7000/3')).toEqual({
      kind: 'single',
      hosts: [{ host: '::1', port: 7000 }],
      db: 3,
    });
  });

  it('can contain a percent-encoded user and password', () => {
    const hosts = [{ host: 'h', port: 6379 }];
    expect(parseRedisUrl('redis://gate:p%40ss%2Fw%3Ard@h')).toMatchObject({
      username: 'gate',
      password: 'p@ss/w:rd',
      hosts,
    });
    expect(parseRedisUrl('redis://:secret@h')).not.toHaveProperty('username');
    expect(parseRedisUrl('redis://u:a:b@c@h')).toMatchObject({ password: 'a:b@c', hosts });
  });

  it('can name sentinels and their master', () => {
    expect(parseRedisUrl('redis+sentinel://u:p@h1,h2:26380,[2001:db8::3]/my%20master')).toEqual({
      kind: 'sentinel',
      hosts: [
        { host: 'h1', port: 26379 },
        { host: 'h2', port: 26380 },
        { host: '2001:db8::3', port: 26379 },
      ],
      username: 'u',
      password: 'p',
      db: 0,
      masterName: 'my master',
    });
  });

  it('can name the nodes of a cluster', () => {
    expect(parseRedisUrl('redis+cluster://h1,h2:7001,h3')).toMatchObject({
      kind: 'cluster',
      hosts: [
        { host: 'h1', port: 6379 },
        { host: 'h2', port: 7001 },
        { host: 'h3', port: 6379 },
      ],
    });
  });

  it.each(['rediss://h', 'rediss+sentinel://h/m', 'rediss+cluster://h'])(
    'with %s uses TLS, with a custom CA if configured',
    (url) => {
      expect(parseRedisUrl(url).tls).toEqual({});
      expect(parseRedisUrl(`${url}?ca=${ca}`).tls).toEqual({ ca: 'a certificate' });
    },
  );

  it.each([
    ['localhost:6379', [/^must be a URL that starts with redis:\/\/, .*, rediss\+cluster:\/\/$/]],
    ['http://h', [/^must be a URL that starts with/]],
    ['redis://', [/^must name a host$/]],
    ['redis://h1,h2', [/^must name one host; several need/]],
    ['redis://::1', [/^has an invalid host \(IPv6 goes into brackets\)$/]],
    ['redis://[h]', [/^has an invalid host/]],
    ['redis://h:0', [/^has an invalid port$/]],
    ['redis://h:65536', [/^has an invalid port$/]],
    ['redis://h/cache', [/^names a database that is not a number: \/cache$/]],
    ['redis://user@h', [/^names a user without a password/]],
    ['redis://u:100%@h', [/^has a password with an invalid percent-encoding/]],
    ['redis://h?family=6', [/^has an unknown parameter: family$/]],
    ['redis://h?ca=ca.pem', [/^names a CA \(ca=\) without TLS/]],
    ['rediss://h?ca=none.pem', [/^names a file that cannot be read: ca=none.pem \(ENOENT\)$/]],
    ['redis+sentinel://h1,h2', [/^must name the master after the sentinels/]],
    ['redis+sentinel://h1,,h2/m', [/^must name a host$/]],
    ['redis+cluster://h1,h2/2', [/^names database 2, and a cluster has only 0$/]],
    ['redis+cluster://h1:x,h2:y?z=1', [/port/, /port/, /unknown parameter: z$/]],
  ])('rejects %s and lists all problems', (url, reasons) => {
    const problems = problemsOf(() => parseRedisUrl(url.replace('ca.pem', ca)));
    expect(problems).toHaveLength(reasons.length);
    reasons.forEach((reason, place) => expect(problems[place]).toMatch(reason));
  });

  it('never appears with its password in a reported problem', () => {
    for (const url of ['redis://u:s3cret%@h:x/y?z=1', 'redis://u:s3cret', 'redis://:s3cret'])
      expect(problemsOf(() => parseRedisUrl(url)).join()).toMatch(/^(?!.*s3cret)./);
  });
});
