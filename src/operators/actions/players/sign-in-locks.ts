import { Injectable } from '@nestjs/common';
import { DataSource, MoreThan } from 'typeorm';
import { type Attribution, AuditLog } from '../../../platform/audit/audit-log.js';
import { DAY_MS } from '../../../platform/config/time.js';
import { RedisConnection } from '../../../platform/counters/redis-connection.js';
import { currentTime } from '../../../platform/database/database-clock.js';
import { sqlTime } from '../../../platform/database/sql.js';
import { addressGroup } from '../../../platform/http/request/address.js';
import {
  KNOWN_ADDRESS_MS,
  LoginAddress,
} from '../../../features/accounts/login-addresses.service.js';
import {
  CONFIRMATION_KEY,
  type LoginLock,
  LoginThrottle,
  throttleSubject,
} from '../../../features/accounts/login-throttle.js';
import { playerAuditSubject } from '../events/event-search.js';

const MAX_ADDRESSES = 50;
// The limit is needed because an account under attack may have hundreds of thousands of failures a day.
const MAX_FAILURES = 1000;

/**
 * Lists whom a lock can keep out, starting with the locks that matter most to the account's owner. `new_addresses` are
 * all addresses except those that the player has used in the last 30 days. `all_accounts` locks an address for all
 * accounts except those that signed in from it.
 */
const LOCKED_FOR = [
  'everybody',
  'second_step',
  'known_address',
  'new_addresses',
  'confirmation',
  'other_address',
  'all_accounts',
] as const;

export interface SignInLock extends LoginLock {
  /** A recent failed login to the account came from this address. */
  address: string;
  whom: (typeof LOCKED_FOR)[number];
}

/** Finds and ends the locks that failed logins set on a player's account. */
@Injectable()
export class SignInLocks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly throttle: LoginThrottle,
    private readonly redis: RedisConnection,
    private readonly audit: AuditLog,
  ) {}

  /** The value is false while each instance counts in its own memory, which no other process can read. */
  get areShared(): boolean {
    return this.redis.state === 'up';
  }

  /** Returns the addresses or IPv6 networks from which the player signed in during the last 30 days, newest first. */
  async knownAddresses(playerId: number): Promise<string[]> {
    const seenAt = MoreThan(new Date(currentTime() - KNOWN_ADDRESS_MS));
    const found = await this.dataSource.manager.find(LoginAddress, {
      where: { playerId, seenAt },
      order: { seenAt: 'DESC' },
      take: MAX_ADDRESSES,
    });
    return found.map(({ address }) => address);
  }

  /** Returns every lock and count for the known addresses and for the addresses of the last day's newest failures. */
  async findByPlayer(playerId: number, known: string[]): Promise<SignInLock[]> {
    const found = new Map<string, SignInLock>();
    const addresses = [...known, ...(await this.recentFailureAddresses(playerId))];
    // The requests to Redis run in parallel, because there may be hundreds.
    const locksByAddress = await Promise.all(
      addresses.map((address) => this.throttle.inspect(toAttempt(playerId, address))),
    );
    addresses.forEach((address, place) => {
      for (const lock of locksByAddress[place]!)
        found.set(`${lock.scope} ${lock.key}`, {
          ...lock,
          address,
          whom: whomOf(lock, address, known),
        });
    });
    return [...found.values()].toSorted(
      (one, other) =>
        Number(other.locked) - Number(one.locked) ||
        LOCKED_FOR.indexOf(one.whom) - LOCKED_FOR.indexOf(other.whom),
    );
  }

  /** Ends the account's locks. An address that failed on many accounts stays locked unless the operator names it. */
  async release(who: Attribution, playerId: number, named?: string): Promise<SignInLock[]> {
    const known = await this.knownAddresses(playerId);
    const before = await this.findByPlayer(playerId, known);
    for (const address of [...known, ...(await this.recentFailureAddresses(playerId))])
      await this.throttle.release(toAttempt(playerId, address), [
        'account_and_address',
        'account',
        'second_factor',
      ]);
    if (named !== undefined)
      await this.throttle.release(toAttempt(playerId, named), ['account_and_address', 'address']);
    await this.audit.write(this.dataSource.manager, who, {
      act: 'player.unlock',
      subject: playerAuditSubject(playerId),
      before: before.map(({ scope, key, failures, locked }) => ({ scope, key, failures, locked })),
      after: [],
    });
    return before;
  }

  /** Returns at least one address, because the account's own count can only be read together with an address. */
  private async recentFailureAddresses(playerId: number): Promise<string[]> {
    const rows = await this.dataSource.query<Array<{ address: string }>>(
      `SELECT address, MAX(id) AS newest FROM
        (SELECT id, address FROM login_event
          WHERE player_id = ? AND created_at > ? AND outcome <> 'ok'
          ORDER BY created_at DESC, id DESC LIMIT ${MAX_FAILURES}) failures
        WHERE address IS NOT NULL GROUP BY address ORDER BY newest DESC LIMIT ${MAX_ADDRESSES}`,
      [playerId, sqlTime(Date.now() - DAY_MS)],
    );
    const addresses = rows.map(({ address }) => address);
    return addresses.length > 0 ? addresses : ['0.0.0.0'];
  }
}

function toAttempt(playerId: number, address: string) {
  return { subject: throttleSubject(playerId), address, spared: false };
}

function whomOf({ scope, key }: LoginLock, address: string, known: string[]): SignInLock['whom'] {
  switch (scope) {
    case 'account':
      return known.length > 0 ? 'new_addresses' : 'everybody';
    case 'account_and_address':
      return known.includes(addressGroup(address)) ? 'known_address' : 'other_address';
    case 'second_factor':
      return key.endsWith(CONFIRMATION_KEY) ? 'confirmation' : 'second_step';
    default:
      return 'all_accounts';
  }
}
