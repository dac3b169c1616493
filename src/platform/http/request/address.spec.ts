import * as fc from 'fast-check';
import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import {
  AddressList,
  addressGroup,
  clientAddress,
  rateLimitGroups,
  normalizeAddress,
} from './address.js';

describe('normalizeAddress', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:0DB8:0:0::1', '2001:db8::1'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    // This is not a mapped address, so it differs from 203.0.113.7.
    ['::203.0.113.7', '::cb00:7107'],
    ['::ffff:1', '::ffff:1'],
    ['no:address', 'no:address'],
  ])('normalises %s to %s', (given, plain) => {
    expect(normalizeAddress(given)).toBe(plain);
  });
});

describe('clientAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:5000', '203.0.113.7'],
    ['[2001:db8::1]:5000', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
    ['unknown', '0.0.0.0'],
    ['0313.0.113.7', '0.0.0.0'],
    ['0xcb007107', '0.0.0.0'],
    ['::ffff:999.0.0.1', '0.0.0.0'],
  ])('reads %s as %s', (ip, address) => {
    expect(clientAddress({ ip } as unknown as Request)).toBe(address);
  });

  it('reads overlong text as 0.0.0.0', () => {
    expect(clientAddress({ ip: 'x'.repeat(10_000) } as unknown as Request)).toBe('0.0.0.0');
  });
});

describe('addressGroup', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ])('maps %s to the group %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  it('can be wider than a /64 network', () => {
    expect(addressGroup('1:2:3:4567::8', 56)).toBe('1:2:3:4500::/56');
    expect(addressGroup('1:2:3:4567::8', 48)).toBe('1:2:3:0::/48');
    expect(addressGroup('203.0.113.7', 48)).toBe('203.0.113.7');
  });

  it('is equal for all spellings of all addresses in a /64 network', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const bare = new URL(`http://[${address}]`).hostname.slice(1, -1);
        expect(addressGroup(bare)).toBe(addressGroup(address));
        expect(addressGroup(address).split(':')).toHaveLength(6);
      }),
    );
  });
});

describe('rateLimitGroups', () => {
  it('adds the /56 and the /48 of an IPv6 client with two and four times the limit', () => {
    expect(rateLimitGroups('2001:db8:3:4567::8')).toEqual([
      { group: '2001:db8:3:4567::/64', multiplier: 1 },
      { group: '2001:db8:3:4500::/56', multiplier: 2 },
      { group: '2001:db8:3:0::/48', multiplier: 4 },
    ]);
    expect(rateLimitGroups('203.0.113.7')).toEqual([{ group: '203.0.113.7', multiplier: 1 }]);
  });
});

describe('AddressList', () => {
  it('contains addresses and blocks of both families', () => {
    const list = AddressList.of([
      '203.0.113.0/24',
      '192.0.2.1',
      '2001:db8::/32',
      '::ffff:198.51.100.0/120',
    ]);
    for (const inside of ['203.0.113.255', '192.0.2.1', '2001:db8:ffff::1', '198.51.100.9'])
      expect(list.has(inside), inside).toBe(true);
    for (const outside of [
      '203.0.114.0',
      '192.0.2.2',
      '2001:db9::1',
      '198.51.101.1',
      '',
      'garbage',
    ])
      expect(list.has(outside), outside).toBe(false);
  });

  it('finds an address in any spelling', () => {
    const list = AddressList.of(['2001:db8::1', '::ffff:192.0.2.1', '192.0.2.2']);
    for (const inside of [
      '2001:DB8:0:0::1',
      '192.0.2.1',
      '::ffff:c000:201',
      '::ffff:192.0.2.2',
      '0:0:0:0:0:ffff:c000:202',
    ])
      expect(list.has(inside), inside).toBe(true);
    for (const outside of ['::ffff:c000:203', '::192.0.2.1'])
      expect(list.has(outside), outside).toBe(false);
  });

  it('is built only once for the same list', () => {
    const entries = ['192.0.2.1'];
    expect(AddressList.of(entries)).toBe(AddressList.of(entries));
    expect(AddressList.of([...entries])).not.toBe(AddressList.of(entries));
  });
});
