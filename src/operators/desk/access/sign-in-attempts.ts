import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../../platform/config/environment.js';
import { type Limit, consumeLimits } from '../../../platform/counters/limits.js';
import { Counters } from '../../../platform/counters/counters.js';
import type { SharedCounter } from '../../../platform/counters/shared-counter.js';
import { sqlTime } from '../../../platform/database/sql-time.js';
import { runStatement } from '../../../platform/database/statement.js';
import { rateLimitGroups } from '../../../platform/http/request/address.js';
import { SignInThrottled } from './access.errors.js';
import type { Operator } from '../../actions/operators/operator.entity.js';

export const MAX_ATTEMPTS = 5;
export const LOCK_SECONDS = 15 * 60;
const ADDRESS_LIMIT = { most: 20, window: 10 * 60 };
const DAY = 24 * 60 * 60;

const UNLOCKED = '(locked_until IS NULL OR locked_until <= ?)';
const COUNT_ATTEMPT = `UPDATE operator SET failures = failures + 1, locked_until = NULL
  WHERE id = ? AND failures < ${MAX_ATTEMPTS - 1} AND ${UNLOCKED}`;
const LOCK_ON_LAST_ATTEMPT = `UPDATE operator SET failures = 0, locked_until = ?
  WHERE id = ? AND failures >= ${MAX_ATTEMPTS - 1} AND ${UNLOCKED}`;

/**
 * How often somebody may try. Each try is counted before the password is looked at, and a sign-in takes the counts
 * back: however many come at once, on however many desks, five of them get an answer. Names that no operator has are
 * locked the same way, or the lock would tell which ones there are.
 */
@Injectable()
export class SignInAttempts {
  private readonly addresses: SharedCounter;
  private readonly unknownNames: SharedCounter;

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    counters: Counters,
  ) {
    this.addresses = counters.create('desk_address');
    this.unknownNames = counters.create('desk_name');
  }

  /** Returns a function that undoes the count. */
  countForAddress(address: string): Promise<() => Promise<void>> {
    const limits = rateLimitGroups(address).map(({ group, multiplier: times }): Limit => ({
      counter: this.addresses,
      key: group,
      max: ADDRESS_LIMIT.most * times,
      window: ADDRESS_LIMIT.window,
    }));
    return consumeLimits(limits, (seconds) => new SignInThrottled(seconds));
  }

  /** True: it was the last one, and the operator is locked unless it succeeds. */
  async countForOperator({
    id,
    lockedUntil,
  }: Pick<Operator, 'id' | 'lockedUntil'>): Promise<boolean> {
    const now = Date.now();
    const lockedMs = (lockedUntil?.getTime() ?? 0) - now;
    if (lockedMs > 0) throw new SignInThrottled(lockedMs / 1000);
    if (await this.updatesOne(COUNT_ATTEMPT, [id, sqlTime(now)])) return false;
    const until = sqlTime(now + LOCK_SECONDS * 1000);
    if (await this.updatesOne(LOCK_ON_LAST_ATTEMPT, [until, id, sqlTime(now)])) return true;
    throw new SignInThrottled(LOCK_SECONDS);
  }

  async countForUnknownName(name: string): Promise<void> {
    // Not by what was typed: it may be a password, and Redis is read by others.
    const key = createHmac('sha256', this.environment.JWT_SECRET).update(name).digest('base64url');
    const { count, secondsLeft, locked } = await this.unknownNames.add(key, 1, DAY);
    if (locked) throw new SignInThrottled(secondsLeft);
    if (count > MAX_ATTEMPTS) throw new SignInThrottled(LOCK_SECONDS);
    if (count === MAX_ATTEMPTS) await this.unknownNames.lock(key, LOCK_SECONDS);
  }

  private async updatesOne(sql: string, values: unknown[]): Promise<boolean> {
    return (await runStatement(this.dataSource.manager, sql, values)).affected === 1;
  }
}
