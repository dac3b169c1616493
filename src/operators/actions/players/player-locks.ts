import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../../../platform/config/calendar-day.js';
import { RedisConnection } from '../../../platform/counters/redis-connection.js';
import { sqlTime } from '../../../platform/database/sql-time.js';
import { AuditLog, type Attribution } from '../../../platform/audit/audit-log.js';
import {
  type LoginLock,
  LoginThrottle,
  throttleSubject,
} from '../../../features/accounts/login-throttle.js';
import { playerAuditSubject } from '../audit-subjects.js';

const MAX_ADDRESSES = 50;
// An account under attack has hundreds of thousands of failures a day.
const MAX_FAILURES = 1000;

export interface PlayerLock extends LoginLock {
  /** If the lock is of an address: one recently seen at the account. */
  address: string;
}

/** The locks after failed logins that affect a player. */
@Injectable()
export class PlayerLocks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly throttle: LoginThrottle,
    private readonly redis: RedisConnection,
    private readonly audit: AuditLog,
  ) {}

  /** False: each instance counts in its own memory, which nobody else can read. */
  get areShared(): boolean {
    return this.redis.state === 'up';
  }

  /** Every lock and count that affects the addresses of the newest failures of the last day. */
  async findByPlayer(playerId: number): Promise<PlayerLock[]> {
    const found = new Map<string, PlayerLock>();
    const addresses = await this.recentFailureAddresses(playerId);
    // In parallel: up to fifty round trips to Redis would add up.
    const locksByAddress = await Promise.all(
      addresses.map((address) => this.throttle.inspect(toAttempt(playerId, address))),
    );
    addresses.forEach((address, place) => {
      for (const lock of locksByAddress[place]!)
        found.set(`${lock.scope} ${lock.key}`, { ...lock, address });
    });
    return [...found.values()];
  }

  /** Ends those of the account everywhere. An address that failed on many accounts stays locked unless it is given. */
  async release(who: Attribution, playerId: number, named?: string): Promise<PlayerLock[]> {
    const before = await this.findByPlayer(playerId);
    for (const address of await this.recentFailureAddresses(playerId))
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

  /** The account's own count is read together with any of them. */
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
