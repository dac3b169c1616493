import { setTimeout as pause } from 'node:timers/promises';
import { QueryFailedError } from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { FifoLock } from './fifo-lock.js';
import { CONNECTION_TIMEOUT_MS } from './time-limits.js';

const RETRY_MS = 20;
const TRANSACTION_CONTROL = /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;
const READ_ONLY = /^\s*(SELECT|PRAGMA|EXPLAIN|VACUUM)\b/i;

/**
 * TypeORM shares one SQLite query runner among all callers, which mixes their transactions. Here each caller has its
 * own, and one transaction or lone statement runs at a time.
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
    // libsql mistakes a lone null for named parameters; a list with a null in it is fine.
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

  /** IMMEDIATE takes the write lock at once, so waiting for another process happens here and not midway. */
  private async begin(): Promise<void> {
    const until = performance.now() + CONNECTION_TIMEOUT_MS;
    for (;;) {
      try {
        return this.execute('BEGIN IMMEDIATE');
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error;
        await pause(RETRY_MS);
      }
    }
  }

  /** Executed, not prepared: libsql never finishes a prepared statement that met a lock, and then every COMMIT fails. */
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

  /** Asks SQLite, because TypeORM loses track when a BEGIN, COMMIT or ROLLBACK fails. */
  private releaseLockIfDone(): void {
    if (this.isInsideTransaction) return;
    this.isTransactionActive = false;
    this.transactionDepth = 0;
    this.releaseLock?.();
    this.releaseLock = undefined;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof QueryFailedError && error.driverError.code === 'SQLITE_BUSY';
}
