import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RedisConnection } from '../../counters/redis-connection.js';
import { sqlTime } from '../../database/sql-time.js';
import { AuditBook, type Operator } from '../../journal/audit-book.js';
import { type LoginLock, LoginThrottle, subjectOf } from '../login-throttle.js';
import { subjectOfPlayer } from '../player-edits.js';

const DAY_MS = 86_400_000;
const MOST_ADDRESSES = 50;
// Who is besieged has hundreds of thousands in a day.
const MOST_FAILURES = 1000;

export interface PlayerLock extends LoginLock {
  /** One that was seen at the account lately, where the lock is of an address. */
  address: string;
}

/** The locks after failed logins that meet a player. */
@Injectable()
export class PlayerLocks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly throttle: LoginThrottle,
    private readonly redis: RedisConnection,
    private readonly audit: AuditBook,
  ) {}

  /** False: the counts are in the memory of each instance, where nobody else sees them. */
  get areShared(): boolean {
    return this.redis.state === 'up';
  }

  /** Every lock and count that the addresses of the newest failures of the last day would meet. */
  async of(playerId: number): Promise<PlayerLock[]> {
    const found = new Map<string, PlayerLock>();
    const addresses = await this.addressesOf(playerId);
    // At once: up to fifty trips to Redis would add up.
    const standing = await Promise.all(
      addresses.map((address) => this.throttle.standing(attemptOf(playerId, address))),
    );
    addresses.forEach((address, place) => {
      for (const lock of standing[place]!)
        found.set(`${lock.scope} ${lock.key}`, { ...lock, address });
    });
    return [...found.values()];
  }

  /** Ends those of the account, everywhere. An address that failed on many accounts stays locked unless it is named. */
  async release(who: Operator, playerId: number, named?: string): Promise<PlayerLock[]> {
    const before = await this.of(playerId);
    for (const address of await this.addressesOf(playerId))
      await this.throttle.release(attemptOf(playerId, address), ['account_and_address', 'account']);
    if (named !== undefined)
      await this.throttle.release(attemptOf(playerId, named), ['account_and_address', 'address']);
    await this.audit.write(this.dataSource.manager, who, {
      act: 'player.unlock',
      subject: subjectOfPlayer(playerId),
      before: before.map(({ scope, key, failures, locked }) => ({ scope, key, failures, locked })),
      after: [],
    });
    return before;
  }

  /** Where the account's own count stands is asked for with any of them. */
  private async addressesOf(playerId: number): Promise<string[]> {
    const rows = await this.dataSource.query<Array<{ address: string }>>(
      `SELECT address, MAX(id) AS newest FROM
        (SELECT id, address FROM login_event
          WHERE player_id = ? AND created_at > ? AND outcome <> 'ok'
          ORDER BY created_at DESC, id DESC LIMIT ${MOST_FAILURES}) failures
        WHERE address IS NOT NULL GROUP BY address ORDER BY newest DESC LIMIT ${MOST_ADDRESSES}`,
      [playerId, sqlTime(Date.now() - DAY_MS)],
    );
    const addresses = rows.map(({ address }) => address);
    return addresses.length > 0 ? addresses : ['0.0.0.0'];
  }
}

function attemptOf(playerId: number, address: string) {
  return { subject: subjectOf(playerId), address, spared: false };
}
