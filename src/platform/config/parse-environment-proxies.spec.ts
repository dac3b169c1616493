import { describe, expect, it } from 'vitest';
import { problemsOf, SERVED } from '../../../test/support/served-environment.js';
import { parseEnvironment } from './parse-environment.js';

describe('TRUST_PROXY', () => {
  it.each([
    [
      'every address',
      { TRUST_PROXY: '::/0' },
      'TRUST_PROXY must list addresses, CIDR blocks no wider than /8 (IPv6: /16), loopback, linklocal or uniquelocal, or say none',
    ],
    [
      'a hop count',
      { TRUST_PROXY: '1' },
      'TRUST_PROXY must list addresses, CIDR blocks no wider than /8 (IPv6: /16), loopback, linklocal or uniquelocal, or say none',
    ],
  ])('rejects %s', (_, change, problem) => {
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
  ])('rejects %s, which covers a large part of the Internet', (TRUST_PROXY) => {
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
  ])('accepts %s', (TRUST_PROXY) => {
    expect(parseEnvironment({ ...SERVED, TRUST_PROXY }).TRUST_PROXY).toBe(TRUST_PROXY);
  });
});
