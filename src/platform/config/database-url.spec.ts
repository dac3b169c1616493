import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { databaseUrlProblems, parseDatabaseUrl } from './database-url.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-url-'));
const ca = join(folder, 'ca.pem');
for (const file of [ca, join(folder, 'ca@1.pem')]) writeFileSync(file, 'a certificate');
afterAll(() => rmSync(folder, { recursive: true }));

describe('DATABASE_URL', () => {
  it.each([
    ['mysql://u:p@db1/x', [{ host: 'db1', port: 3306 }]],
    ['mariadb://u:p@[::1]:3307/x', [{ host: '::1', port: 3307 }]],
    [
      'mysql://u:p@db1:1,[fe80::1],db3:3/x',
      [
        { host: 'db1', port: 1 },
        { host: 'fe80::1', port: 3306 },
        { host: 'db3', port: 3 },
      ],
    ],
  ])('accepts %s and splits it into hosts and ports', (url, hosts) => {
    expect(parseDatabaseUrl(url)).toEqual({ hosts, user: 'u', password: 'p', database: 'x' });
  });

  it('accepts percent-encoded credentials', () => {
    const url = 'mysql://us%40er:p%2Fa%3As%25:s@db/na%20me';
    const found = parseDatabaseUrl(url);
    expect(found).toMatchObject({ user: 'us@er', password: 'p/a:s%:s', database: 'na me' });
  });

  it('accepts an @ in the password and in a file path', () => {
    const url = `mysql://u:p@ss@db/x?ssl-ca=${ca}`;
    const found = parseDatabaseUrl(url.replace('ca.pem', 'ca@1.pem'));
    expect(found).toMatchObject({ hosts: [{ host: 'db' }], password: 'p@ss', database: 'x' });
    expect(found.ssl).toMatchObject({ ca: 'a certificate' });
  });

  it('requires neither a password nor a database', () => {
    const found = parseDatabaseUrl('mysql://sandbox@127.0.0.1:5');
    expect(found).toMatchObject({ user: 'sandbox', password: '', database: '' });
  });

  it.each([
    ['', undefined],
    ['?ssl-ca=ca.pem', { ca: 'a certificate', rejectUnauthorized: true, verifyIdentity: true }],
    ['?ssl-mode=VERIFY_IDENTITY', { rejectUnauthorized: true, verifyIdentity: true }],
    ['?ssl-mode=VERIFY_CA', { rejectUnauthorized: true, verifyIdentity: false }],
    ['?ssl-mode=REQUIRED', { rejectUnauthorized: false, verifyIdentity: false }],
  ])('with the query %j verifies TLS unless the query turns verification off', (query, ssl) => {
    expect(parseDatabaseUrl(`mysql://u:p@db/x${query.replace('ca.pem', ca)}`).ssl).toEqual(ssl);
  });

  it.each([
    ['mysql://u:p@/x', /must name a host/],
    ['mysql://u:p@db1,,db2/x', /must name a host/],
    ['mysql://u:p@db:99999/x', /has an invalid port/],
    ['mysql://u:p@[1.2.3.4]/x', /has an invalid host/],
    ['postgres://u:p@db/x', /must be a URL that starts with mysql/],
    ['mysql://u:p@db/x/y', /names a database with a \//],
    ['mysql://u:100%@db/x', /write % as %25/],
    ['mysql://u:p@db/x?ssl=true', /unknown parameter: ssl$/],
    ['mysql://u:p@db/x?charset=utf8', /unknown parameter: charset$/],
    ['mysql://u:p@db/x?ssl-mode=DISABLED', /ssl-mode that is none of/],
    ['mysql://u:p@db/x?ssl-mode=REQUIRED&ssl-mode=VERIFY_CA', /ssl-mode twice/],
    [
      'mysql://u:p@db/x?ssl-ca=there-is-none.pem',
      /cannot be read: ssl-ca=there-is-none.pem \(ENOENT\)/,
    ],
    ['mysql://u:p@10.0.0.1/x?ssl-mode=VERIFY_IDENTITY', /use a host name, or ssl-mode=VERIFY_CA/],
  ])('rejects %s', (url, problem) => {
    expect(databaseUrlProblems(url).join()).toMatch(problem);
  });
});
