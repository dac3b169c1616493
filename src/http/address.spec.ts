import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressList, addressGroup, plainAddress } from './address.js';

describe('plainAddress', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['2001:db8::1', '2001:db8::1'],
  ])('makes %s %s', (given, plain) => {
    expect(plainAddress(given)).toBe(plain);
  });
});

describe('addressGroup', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ])('counts %s as %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  it('is the same for all addresses of a /64, however they are spelled', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const bare = new URL(`http://[${address}]`).hostname.slice(1, -1);
        expect(addressGroup(bare)).toBe(addressGroup(address));
        expect(addressGroup(address).split(':')).toHaveLength(6);
      }),
    );
  });
});

describe('AddressList', () => {
  it('knows addresses and blocks of both families', () => {
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

  it('is made ready once for each version of a list', () => {
    const entries = ['192.0.2.1'];
    expect(AddressList.of(entries)).toBe(AddressList.of(entries));
    expect(AddressList.of([...entries])).not.toBe(AddressList.of(entries));
  });
});
