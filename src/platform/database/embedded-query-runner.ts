import { setTimeout as pause } from 'node:timers/promises';
import { QueryFailedError } from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { FifoLock } from './row-queue.js';
import { CONNECTION_TIMEOUT_MS } from './time-limits.js';

const RETRY_MS = 20;
const TRANSACTION_CONTROL = /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;
const READ_ONLY = /^\s*(SELECT|PRAGMA|EXPLAIN|VACUUM)\b/i;

/**
 * Gives each caller its own query runner, because TypeORM shares one SQLite query runner and would mix the callers'
 * transactions. Only one transaction or single statement runs at a time.
 */
export class EmbeddedQueryRunner extends BetterSqlite3QueryRunner {
  private releaseLock?: () => void;

  constructor(
    driver: BetterSqlite3Driver,
    private readonly lock: FifoLock,
  ) {
    super(driver);
  }

  override async startTransaction(isolationLevel?: IsolationLevel): Promise<void> {
    this.releaseLock ??= await this.lock.acquire();
    try {
      await super.startTransaction(isolationLevel);
    } finally {
      this.releaseLockIfDone();
    }
  }

  override async commitTransaction(): Promise<void> {
    try {
      await super.commitTransaction();
    } finally {
      this.releaseLockIfDone();
    }
  }

  override async rollbackTransaction(): Promise<void> {
    try {
      await super.rollbackTransaction();
    } finally {
      this.releaseLockIfDone();
    }
  }

  override async query<T = unknown>(
    query: string,
    parameters?: unknown[],
    useStructuredResult?: boolean,
  ): Promise<T> {
    // libsql mistakes a single null for named parameters, but not a list that contains a null.
    const values = parameters?.length === 1 ? [parameters] : parameters;
    const run = () => super.query(query, values, useStructuredResult) as Promise<T>;
    if (this.releaseLock)
      return TRANSACTION_CONTROL.test(query) ? ((await this.control(query)) as T) : run();
    const releaseLock = await this.lock.acquire();
    try {
      return await (READ_ONLY.test(query) ? run() : this.withWriteLock(run));
    } finally {
      releaseLock();
    }
  }

  override async release(): Promise<void> {
    if (this.isTransactionActive) await this.rollbackTransaction();
    await super.release();
  }

  private async withWriteLock<T>(write: () => Promise<T>): Promise<T> {
    await this.begin();
    try {
      const result = await write();
      this.execute('COMMIT');
      return result;
    } finally {
      if (this.isInsideTransaction) this.execute('ROLLBACK');
    }
  }

  private async control(statement: string): Promise<void> {
    if (statement === 'BEGIN TRANSACTION') await this.begin();
    else this.execute(statement);
  }

  /** Takes the write lock immediately, so that a transaction waits for other processes only when it begins. */
  private async begin(): Promise<void> {
    const until = performance.now() + CONNECTION_TIMEOUT_MS;
    for (;;) {
      try {
        return this.execute('BEGIN IMMEDIATE');
      } catch (error) {
        const { code } = (error as QueryFailedError<NodeJS.ErrnoException>).driverError;
        if (code !== 'SQLITE_BUSY' || performance.now() > until) throw error;
        await pause(RETRY_MS);
      }
    }
  }

  /** Avoids prepared statements, because libsql never finishes one that met a lock, and then every COMMIT fails. */
  private execute(statement: string): void {
    try {
      this.driver.databaseConnection.exec(statement);
    } catch (error) {
      throw new QueryFailedError(statement, [], error as Error);
    }
  }

  private get isInsideTransaction(): boolean {
    return this.driver.databaseConnection.inTransaction as boolean;
  }

  /** Uses SQLite's own transaction state, because TypeORM's state is wrong after a failed BEGIN, COMMIT or ROLLBACK. */
  private releaseLockIfDone(): void {
    if (this.isInsideTransaction) return;
    this.isTransactionActive = false;
    this.transactionDepth = 0;
    this.releaseLock?.();
    this.releaseLock = undefined;
  }
}
