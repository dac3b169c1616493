import { BlockList, isIP, isIPv4 } from 'node:net';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The address of a request in its plainest spelling: no IPv4 dressed up as IPv6, no scope id. */
export function clientAddress(request: Request): string {
  return plainAddress(request.ip ?? '');
}

export const ClientAddress = createParamDecorator((_: unknown, context: ExecutionContext) =>
  clientAddress(context.switchToHttp().getRequest<Request>()),
);

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
  private readonly blocks = new BlockList();

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
      if (bits === undefined) this.blocks.addAddress(plain, family);
      else if (Number(bits) >= offset) this.blocks.addSubnet(plain, Number(bits) - offset, family);
      else this.blocks.addSubnet(address, Number(bits), 'ipv6');
    }
  }

  has(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.blocks.check(address, family === 4 ? 'ipv4' : 'ipv6');
  }
}
