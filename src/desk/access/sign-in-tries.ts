import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment.js';
import { type Limit, takeFromAll } from '../../counters/limits.js';
import { Counters } from '../../counters/counters.js';
import type { Tally } from '../../counters/tally.js';
import { sqlTime } from '../../database/sql-time.js';
import { runStatement } from '../../database/statement.js';
import { countedGroups } from '../../http/request/address.js';
import { SignInThrottled } from './access.errors.js';
import type { Operator } from './operator.entity.js';

export const TRIES = 5;
export const LOCK_SECONDS = 15 * 60;
const OF_AN_ADDRESS = { most: 20, window: 10 * 60 };
const DAY = 24 * 60 * 60;

const UNLOCKED = '(locked_until IS NULL OR locked_until <= ?)';
const TAKE = `UPDATE operator SET failures = failures + 1, locked_until = NULL
  WHERE id = ? AND failures < ${TRIES - 1} AND ${UNLOCKED}`;
const TAKE_LAST = `UPDATE operator SET failures = 0, locked_until = ?
  WHERE id = ? AND failures >= ${TRIES - 1} AND ${UNLOCKED}`;

/**
 * How often somebody may try. Each try is counted before the password is looked at, and a sign-in takes the counts
 * back: however many come at once, on however many desks, five of them get an answer. Names that no operator has are
 * locked the same way, or the lock would tell which ones there are.
 */
@Injectable()
export class SignInTries {
  private readonly addresses: Tally;
  private readonly unknownNames: Tally;

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    counters: Counters,
  ) {
    this.addresses = counters.tally('desk_address');
    this.unknownNames = counters.tally('desk_name');
  }

  /** Gives what takes it back. */
  takeOfAddress(address: string): Promise<() => Promise<void>> {
    const limits = countedGroups(address).map(({ group, times }): Limit => ({
      tally: this.addresses,
      key: group,
      most: OF_AN_ADDRESS.most * times,
      window: OF_AN_ADDRESS.window,
    }));
    return takeFromAll(limits, (seconds) => new SignInThrottled(seconds));
  }

  /** True: it was the last one, and the operator is locked unless it succeeds. */
  async takeOf({ id, lockedUntil }: Pick<Operator, 'id' | 'lockedUntil'>): Promise<boolean> {
    const now = Date.now();
    const left = (lockedUntil?.getTime() ?? 0) - now;
    if (left > 0) throw new SignInThrottled(left / 1000);
    if (await this.take(TAKE, [id, sqlTime(now)])) return false;
    const until = sqlTime(now + LOCK_SECONDS * 1000);
    if (await this.take(TAKE_LAST, [until, id, sqlTime(now)])) return true;
    throw new SignInThrottled(LOCK_SECONDS);
  }

  async takeOfUnknown(name: string): Promise<void> {
    // Not by what was typed: it may be a password, and Redis is read by others.
    const key = createHmac('sha256', this.environment.JWT_SECRET).update(name).digest('base64url');
    const { count, secondsLeft, locked } = await this.unknownNames.add(key, 1, DAY);
    if (locked) throw new SignInThrottled(secondsLeft);
    if (count > TRIES) throw new SignInThrottled(LOCK_SECONDS);
    if (count === TRIES) await this.unknownNames.lock(key, LOCK_SECONDS);
  }

  private async take(sql: string, values: unknown[]): Promise<boolean> {
    return (await runStatement(this.dataSource.manager, sql, values)).affected === 1;
  }
}
