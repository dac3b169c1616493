import { BlockList, isIP, isIPv4 } from 'node:net';
import type { Request } from 'express';

/**
 * The address of a request in its plainest spelling: no IPv4 dressed up as IPv6, no scope id, no port. Where the proxy
 * passes on what is no address, it is nobody's: no list of addresses that are let in has it.
 */
export function clientAddress(request: Request): string {
  const address = plainAddress(withoutPort(request.ip ?? ''));
  return isIP(address) === 0 ? '0.0.0.0' : address;
}

function withoutPort(address: string): string {
  return (
    /^\[(.+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.slice(1).join('') ?? address
  );
}

export function plainAddress(address: string): string {
  const bare = address.split('%')[0] ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  return mapped?.[1] ?? bare;
}

/** What is counted as one client: an IPv4 address, or the /64 that an IPv6 client can move about in. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

/** A list of addresses and CIDR blocks from the settings, made ready for look-ups once per version of the list. */
export class AddressList {
  private static readonly ready = new WeakMap<readonly string[], AddressList>();
  // A BlockList is looked through from end to end, which is too slow for thousands of addresses.
  private readonly addresses = new Set<string>();
  private readonly blocks = new BlockList();
  private readonly hasBlocks: boolean;

  static of(entries: readonly string[]): AddressList {
    let list = AddressList.ready.get(entries);
    if (!list) AddressList.ready.set(entries, (list = new AddressList(entries)));
    return list;
  }

  private constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', bits] = entry.split('/');
      const plain = plainAddress(address);
      const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
      const offset = plain === address ? 0 : 96;
      if (bits === undefined) this.addresses.add(spelledOneWay(plain));
      else if (Number(bits) >= offset) this.blocks.addSubnet(plain, Number(bits) - offset, family);
      else this.blocks.addSubnet(address, Number(bits), 'ipv6');
    }
    this.hasBlocks = this.blocks.rules.length > 0;
  }

  has(address: string): boolean {
    const family = isIP(address);
    return (
      family !== 0 &&
      (this.addresses.has(spelledOneWay(address)) ||
        (this.hasBlocks && this.blocks.check(address, family === 4 ? 'ipv4' : 'ipv6')))
    );
  }
}

/** The same for every spelling of an address. */
function spelledOneWay(address: string): string {
  if (isIPv4(address)) return address;
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(plain)?.slice(1) ?? [];
  return (
    mapped.flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255]).join('.') || plain
  );
}
