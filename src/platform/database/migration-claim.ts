import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';

const logger = new Logger('Migrations');

const POLL_MS = 500;
const RENEW_EVERY_MS = 5000;
const VALID_SECONDS = 30;
const GIVE_UP_AFTER_MS = 600_000;

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
 * Lets one instance at a time migrate. A row instead of GET_LOCK, which is local to one node of a cluster. The claim of
 * a dead process expires after 30 s.
 */
export async function withMigrationClaim<T>(
  dataSource: DataSource,
  work: () => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  await dataSource.query(CREATE_TABLE);
  await dataSource.query(INSERT_ROW);
  await acquire(dataSource, holder);
  const renewal = setInterval(() => {
    void dataSource.query(RENEW, [holder]).catch(() => undefined);
  }, RENEW_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // If the database is gone, the claim expires by itself.
    await dataSource.query(RELEASE, [holder]).catch(() => undefined);
  }
}

async function acquire(dataSource: DataSource, holder: string): Promise<void> {
  const deadline = performance.now() + GIVE_UP_AFTER_MS;
  let attempts = 0;
  for (;;) {
    const { affectedRows } = await dataSource.query<{ affectedRows: number }>(ACQUIRE, [holder]);
    if (affectedRows === 1) return;
    if (attempts++ === 0) logger.log('another instance is migrating the database: waiting for it');
    if (performance.now() > deadline)
      throw new Error('Another instance has held the migration claim too long');
    await pause(POLL_MS);
  }
}
