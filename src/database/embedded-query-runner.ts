import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { Turn } from './turn.js';

/**
 * TypeORM gives all callers of SQLite the same query runner, so that one caller's statements would fall into
 * another's transaction. Here each caller has its own, and one transaction or lone statement runs at a time.
 */
export class EmbeddedQueryRunner extends BetterSqlite3QueryRunner {
  private endTurn?: () => void;

  constructor(
    driver: BetterSqlite3Driver,
    private readonly turn: Turn,
  ) {
    super(driver);
  }

  override async startTransaction(isolationLevel?: IsolationLevel): Promise<void> {
    this.endTurn ??= await this.turn.take();
    try {
      await super.startTransaction(isolationLevel);
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  override async commitTransaction(): Promise<void> {
    await super.commitTransaction();
    this.leave();
  }

  override async rollbackTransaction(): Promise<void> {
    try {
      await super.rollbackTransaction();
    } finally {
      this.leave();
    }
  }

  override async query<T = unknown>(
    query: string,
    parameters?: unknown[],
    useStructuredResult?: boolean,
  ): Promise<T> {
    // IMMEDIATE takes the write lock at once: another process waits for it here instead of failing midway.
    const statement = query === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE TRANSACTION' : query;
    // libsql takes a lone null for a set of named parameters, but not a list with a null in it.
    const values = parameters?.length === 1 ? [parameters] : parameters;
    if (this.endTurn) return super.query(statement, values, useStructuredResult) as T;
    const endTurn = await this.turn.take();
    try {
      return (await super.query(statement, values, useStructuredResult)) as T;
    } finally {
      endTurn();
    }
  }

  override async release(): Promise<void> {
    if (this.isTransactionActive) await this.rollbackTransaction();
    await super.release();
  }

  private leave(): void {
    if (this.isTransactionActive) return;
    this.endTurn?.();
    this.endTurn = undefined;
  }
}
