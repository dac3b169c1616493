import { BlockList, isIP } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * Returns the client's address in one canonical form, without a port or scope id, and never as an IPv4-mapped IPv6
 * address. If the proxy forwards an invalid address, the result is 0.0.0.0, which no allow list contains.
 */
export function clientAddress(request: Request): string {
  const address = normalizeAddress(stripPort(request.ip ?? ''));
  return isIP(address) === 0 ? '0.0.0.0' : address;
}

function stripPort(address: string): string {
  // The common case comes first, because this function runs for every request.
  if (isIP(address) !== 0) return address;
  return (
    /^\[(.+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.slice(1).join('') ?? address
  );
}

/** Returns the same text for every notation of an address. Any other text is returned unchanged. */
export function normalizeAddress(address: string): string {
  if (!address.includes(':')) return address;
  const bare = address.includes('%') ? address.slice(0, address.indexOf('%')) : address;
  const mapped = bare.startsWith('::') && /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  if (mapped && mapped[1]) return mapped[1];
  if (isIP(bare) !== 6) return bare;
  // ipaddr.js would take five times as long, and it confuses ::192.0.2.1 with 192.0.2.1.
  const plain = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  return plain.startsWith('::ffff:') && /^::ffff:[0-9a-f]+:[0-9a-f]+$/.test(plain)
    ? ipaddr.IPv6.parse(plain).toIPv4Address().toString()
    : plain;
}

/** Returns the group that counts as one client, which is an IPv4 address or an IPv6 network. */
export function addressGroup(address: string, bits: 48 | 56 | 64 = 64): string {
  if (isIP(address) !== 6) return address;
  return formatNetwork(networkHalf(address), bits);
}

function formatNetwork(half: number[], bits: number): string {
  const network = half.map(
    (part, index) => part & (0xffff << Math.max(0, 16 * (index + 1) - bits)),
  );
  return `${network.map((part) => part.toString(16)).join(':')}::/${bits}`;
}

function networkHalf(address: string): number[] {
  return ipaddr.IPv6.parse(address).parts.slice(0, 4);
}

export interface RateLimitGroup {
  group: string;
  /** This is the ratio of this group's limit to a single client's limit. The request limit uses its square. */
  multiplier: number;
}

/**
 * Returns every group in which a client is counted. Providers assign /56s and /48s, which contain 256 and 65 536 /64s,
 * and a client must not get a new limit with the next /64.
 */
export function rateLimitGroups(address: string): RateLimitGroup[] {
  if (isIP(address) !== 6) return [{ group: address, multiplier: 1 }];
  const half = networkHalf(address);
  return [
    { group: formatNetwork(half, 64), multiplier: 1 },
    { group: formatNetwork(half, 56), multiplier: 2 },
    { group: formatNetwork(half, 48), multiplier: 4 },
  ];
}

/** Matches addresses against a list of addresses and CIDR blocks from the settings. Each list is prepared once. */
export class AddressList {
  private static readonly cache = new WeakMap<readonly string[], AddressList>();
  // A BlockList checks its entries one by one, which is too slow for thousands of addresses.
  private readonly addresses = new Set<string>();
  private readonly blocks = new BlockList();
  private readonly hasBlocks: boolean;

  static of(entries: readonly string[]): AddressList {
    let list = AddressList.cache.get(entries);
    if (!list) AddressList.cache.set(entries, (list = new AddressList(entries)));
    return list;
  }

  private constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', bits] = entry.split('/');
      const plain = normalizeAddress(address);
      if (bits === undefined) this.addresses.add(plain);
      else this.addBlock(address, plain, Number(bits));
    }
    this.hasBlocks = this.blocks.rules.length > 0;
  }

  /** Reads `::ffff:192.0.2.0/120` as `192.0.2.0/24`. A block wider than all mapped addresses remains an IPv6 block. */
  private addBlock(address: string, plain: string, bits: number): void {
    const isIPv4 = isIP(plain) === 4;
    const mappedBits = isIPv4 && isIP(address) === 6 ? 96 : 0;
    if (isIPv4 && bits >= mappedBits) this.blocks.addSubnet(plain, bits - mappedBits, 'ipv4');
    else this.blocks.addSubnet(address, bits, 'ipv6');
  }

  has(address: string): boolean {
    if (this.addresses.has(address)) return true;
    const family = this.isEmpty ? 0 : isIP(address);
    if (family === 0) return false;
    return (
      (family === 6 && this.addresses.has(normalizeAddress(address))) ||
      (this.hasBlocks && this.blocks.check(address, family === 4 ? 'ipv4' : 'ipv6'))
    );
  }

  private get isEmpty(): boolean {
    return this.addresses.size === 0 && !this.hasBlocks;
  }
}
