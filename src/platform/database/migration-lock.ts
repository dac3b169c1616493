import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import Libsql from 'libsql';
import { type DataSource, QueryFailedError } from 'typeorm';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { SchemaProblem } from './schema-state.js';

const logger = new Logger('Migrations');

const GIVE_UP_AFTER_MS = 600_000;
const CLAIM_POLL_MS = 500;
const RENEW_EVERY_MS = 5000;
const VALID_SECONDS = 30;
const FILE_POLL_MS = 50;
const TABLE_PAUSE_MS = 2000;
const LOCK_WAIT_TIMEOUT = 1205;

const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS migration_claim (
    id INT NOT NULL COMMENT 'always 1',
    holder VARCHAR(36) NOT NULL COMMENT 'the process that migrates; empty: none',
    valid_until DATETIME(3) NOT NULL COMMENT 'UTC; from then on another may, since the holder is dead',
    PRIMARY KEY (id)
  ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COMMENT = 'lets one instance migrate at a time'`;
const INSERT_ROW = `INSERT INTO migration_claim (id, holder, valid_until) VALUES (1, '', '2000-01-01')
  ON DUPLICATE KEY UPDATE id = id`;
const UNTIL = `UTC_TIMESTAMP(3) + INTERVAL ${VALID_SECONDS} SECOND`;
const ACQUIRE = `UPDATE migration_claim SET holder = ?, valid_until = ${UNTIL}
  WHERE id = 1 AND (holder = '' OR valid_until < UTC_TIMESTAMP(3))`;
const RENEW = `UPDATE migration_claim SET valid_until = ${UNTIL} WHERE id = 1 AND holder = ?`;
const RELEASE = `UPDATE migration_claim SET holder = '' WHERE id = 1 AND holder = ?`;

/**
 * Ensures that only one instance migrates at a time. It claims a row, because GET_LOCK is local to one node of a
 * cluster. The claim of a dead process expires after 30 s.
 */
export async function withMigrationClaim<T>(
  dataSource: DataSource,
  work: () => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  await dataSource.query(CREATE_TABLE);
  await dataSource.query(INSERT_ROW);
  await acquireClaim(dataSource, holder);
  const renewal = setInterval(() => {
    void dataSource.query(RENEW, [holder]).catch(() => undefined);
  }, RENEW_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // If the database is unreachable, the claim expires without a release.
    await dataSource.query(RELEASE, [holder]).catch(() => undefined);
  }
}

async function acquireClaim(dataSource: DataSource, holder: string): Promise<void> {
  const deadline = performance.now() + GIVE_UP_AFTER_MS;
  let attempts = 0;
  for (;;) {
    const { affectedRows } = await dataSource.query<{ affectedRows: number }>(ACQUIRE, [holder]);
    if (affectedRows === 1) return;
    if (attempts++ === 0) logger.log('another instance is migrating the database: waiting for it');
    if (performance.now() > deadline)
      throw new Error('Another instance has held the migration claim too long');
    await pause(CLAIM_POLL_MS);
  }
}

/**
 * Ensures that only one process migrates a folder's embedded database at a time. It uses SQLite's lock on an empty
 * database file, because the operating system releases that lock however its holder dies.
 */
export async function withFileLock<T>(
  folder: string,
  timeoutSeconds: number,
  work: () => Promise<T>,
): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const lock = new Libsql(join(folder, 'migrations.lock'));
  try {
    const deadline = performance.now() + timeoutSeconds * 1000;
    while (!tryAcquireFile(lock)) {
      if (performance.now() > deadline)
        throw new Error('Another process has held the migration lock too long');
      await pause(FILE_POLL_MS);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function tryAcquireFile(lock: Libsql.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return false;
    throw error;
  }
}

/**
 * Waits for a table that a dump or another open transaction holds. Each attempt is short, because logins queue behind
 * it.
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
        if (!(error instanceof QueryFailedError) || error.driverError.errno !== LOCK_WAIT_TIMEOUT)
          throw error;
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
        await pause(TABLE_PAUSE_MS);
      }
  }
}
