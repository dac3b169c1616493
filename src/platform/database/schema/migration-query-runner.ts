import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { SchemaProblem } from './schema-problem.js';
import { readSchemaStatement, type SchemaPart, type SchemaStatement } from './schema-statement.js';

const logger = new Logger('Migrations');

const LOCK_PAUSE_MS = 2000;
const GIVE_UP_AFTER_MS = 600_000;
const LOCK_WAIT_TIMEOUT = 1205;

/** From the one that costs nothing; a copy of the table, which stops all writes, only where a migration asks for it. */
const ONLINE = ['ALGORITHM=INSTANT', 'ALGORITHM=INPLACE, LOCK=NONE'];
const NOT_THIS_WAY = new Set<unknown>([
  1845, // ER_ALTER_OPERATION_NOT_SUPPORTED
  1846, // ER_ALTER_OPERATION_NOT_SUPPORTED_REASON
  4092, // ER_INNODB_INSTANT_ADD_DROP_NOT_SUPPORTED_MAX_SIZE, and its like
  4080, // ER_INNODB_MAX_ROW_VERSION: 64 instant changes already
]);

const FIND: Record<SchemaPart['kind'], string> = {
  table: 'information_schema.tables WHERE table_name = ? AND ? IS NOT NULL',
  column: 'information_schema.columns WHERE table_name = ? AND column_name = ?',
  key: 'information_schema.statistics WHERE table_name = ? AND index_name = ?',
  constraint: 'information_schema.table_constraints WHERE table_name = ? AND constraint_name = ?',
};

/**
 * Runs the statements of migrations so that they can be run again and disturb nobody. MySQL commits each change of the
 * schema by itself, so a migration may have been cut off between two: what is there already is left out.
 */
export class MigrationQueryRunner extends MysqlQueryRunner {
  override async query<T = unknown>(
    query: string,
    parameters?: unknown[],
    useStructuredResult?: boolean,
  ): Promise<T> {
    const run = (sql: string) => super.query(sql, parameters, useStructuredResult) as Promise<T>;
    const statement = parameters?.length ? undefined : readSchemaStatement(query);
    if (!statement) return this.whenUnlocked(() => run(query));
    if (await this.isDone(statement)) {
      const parts = [...statement.adds, ...statement.drops].map(({ name }) => name).join(', ');
      logger.log(`already done, by a run that was cut off: ${statement.table} (${parts})`);
      return undefined as T;
    }
    return this.runOnline(statement, query, run);
  }

  private async isDone({ table, adds, drops }: SchemaStatement): Promise<boolean> {
    const added = await Promise.all(adds.map((part) => this.isThere(table, part)));
    const dropped = await Promise.all(drops.map((part) => this.isThere(table, part)));
    const done = [...added, ...dropped.map((there) => !there)];
    return done.length > 0 && done.every(Boolean);
  }

  private async isThere(table: string, { kind, name }: SchemaPart): Promise<boolean> {
    const rows = await super.query(
      `SELECT 1 FROM ${FIND[kind]} AND table_schema = DATABASE() LIMIT 1`,
      [table, name],
    );
    return rows.length > 0;
  }

  private async runOnline<T>(
    { verb, table }: SchemaStatement,
    sql: string,
    run: (sql: string) => Promise<T>,
  ): Promise<T> {
    const statesItself = verb === 'create table' || /\bALGORITHM ?=/i.test(sql);
    for (const way of statesItself ? [] : ONLINE)
      try {
        const stated = verb === 'create index' ? ` ${way.replace(',', '')}` : `, ${way}`;
        return await this.whenUnlocked(() => run(sql + stated), table);
      } catch (error) {
        if (way === ONLINE.at(-1) || !NOT_THIS_WAY.has(errnoOf(error))) throw error;
      }
    return this.whenUnlocked(() => run(sql), table);
  }

  /** A dump, or any open transaction, holds the table: tries again, and lets the others through in between. */
  private async whenUnlocked<T>(run: () => Promise<T>, table = 'a table'): Promise<T> {
    const deadline = performance.now() + GIVE_UP_AFTER_MS;
    for (let tries = 1; ; tries++)
      try {
        return await run();
      } catch (error) {
        if (errnoOf(error) !== LOCK_WAIT_TIMEOUT) throw error;
        if (performance.now() > deadline)
          throw new SchemaProblem(
            `Another connection has held ${table} for ${GIVE_UP_AFTER_MS / 60_000} minutes (a dump, or a transaction that was left open): end it and migrate again.`,
            { cause: error },
          );
        if (tries === 1)
          logger.warn(`${table} is held by another connection, perhaps a dump: waiting for it`);
        await pause(LOCK_PAUSE_MS);
      }
  }
}

function errnoOf(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError.errno : undefined;
}
