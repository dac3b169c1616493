import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { SchemaProblem } from './schema-problem.js';

const logger = new Logger('Migrations');

const LOCK_PAUSE_MS = 2000;
const GIVE_UP_AFTER_MS = 600_000;
const LOCK_WAIT_TIMEOUT = 1205;

/**
 * Waits in short attempts for a table that a dump, or any open transaction, holds: every login queues behind an
 * attempt.
 */
export class MigrationQueryRunner extends MysqlQueryRunner {
  override async query<T = unknown>(
    query: string,
    parameters?: unknown[],
    useStructuredResult?: boolean,
  ): Promise<T> {
    const deadline = performance.now() + GIVE_UP_AFTER_MS;
    for (let tries = 1; ; tries++)
      try {
        return (await super.query(query, parameters, useStructuredResult)) as T;
      } catch (error) {
        if (!isLockWaitTimeout(error)) throw error;
        const [change] = query.trim().split('\n');
        if (performance.now() > deadline)
          throw new SchemaProblem(
            `Another connection has held a table for ${GIVE_UP_AFTER_MS / 60_000} minutes (a dump, or a transaction that was left open): end it and migrate again. Waiting: ${change}`,
            { cause: error },
          );
        if (tries === 1)
          logger.warn(
            `a table is held by another connection, perhaps a dump: waiting for it with ${change}`,
          );
        await pause(LOCK_PAUSE_MS);
      }
  }
}

function isLockWaitTimeout(error: unknown): boolean {
  return error instanceof QueryFailedError && error.driverError.errno === LOCK_WAIT_TIMEOUT;
}
