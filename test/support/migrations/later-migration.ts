import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  findColumn,
  findKey,
  inDialect,
  type SchemaChange,
} from '../../../src/platform/database/migrations/dialect.js';
import { MIGRATIONS } from '../../../src/platform/database/migrations/list.js';

/** Contains one statement of each form, such as a new table, column or key, a wider column, and a CHECK. */
export const LATER_CHANGE: SchemaChange = {
  mysql: [
    `CREATE TABLE IF NOT EXISTS player_note (
      player_id INT NOT NULL COMMENT 'the account',
      note VARCHAR(100) NOT NULL COMMENT 'a, b (c)',
      PRIMARY KEY (player_id)
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COMMENT = 'Gatehouse: it''s a test'`,
    'ALTER TABLE agent MODIFY name VARCHAR(128) NOT NULL, ALGORITHM=INPLACE, LOCK=NONE',
    {
      sql: 'ALTER TABLE player ADD COLUMN nickname VARCHAR(64) NULL, ALGORITHM=INSTANT',
      done: findColumn('player', 'nickname'),
    },
    'UPDATE player SET nickname = account WHERE nickname IS NULL',
    {
      sql: 'CREATE INDEX player_nickname ON player (nickname) ALGORITHM=INPLACE LOCK=NONE',
      done: findKey('player', 'player_nickname'),
    },
    {
      sql: 'ALTER TABLE chat DROP KEY chat_time, ADD KEY chat_hour (time, account), ALGORITHM=INPLACE, LOCK=NONE',
      done: findKey('chat', 'chat_hour'),
    },
    {
      sql: `ALTER TABLE server ADD COLUMN region VARCHAR(32) NULL,
      ADD CONSTRAINT server_region CHECK (TRIM(region) <> ''), ALGORITHM=COPY`,
      done: findColumn('server', 'region'),
    },
  ],
  embedded: [
    `CREATE TABLE "player_note" (
      "player_id" integer PRIMARY KEY NOT NULL,
      "note" varchar(100) NOT NULL
    )`,
    'ALTER TABLE "player" ADD COLUMN "nickname" varchar(64)',
    'UPDATE "player" SET "nickname" = "account" WHERE "nickname" IS NULL',
    'CREATE INDEX "player_nickname" ON "player" ("nickname")',
    'DROP INDEX "chat_time"',
    'CREATE INDEX "chat_hour" ON "chat" ("time", "account")',
    `ALTER TABLE "server" ADD COLUMN "region" varchar(32) CHECK (trim("region") <> '')`,
  ],
};

/** Simulates a migration of a later version. */
export class LaterMigration4102444800000 implements MigrationInterface {
  name = 'LaterMigration4102444800000';

  up(runner: QueryRunner): Promise<void> {
    return inDialect(runner, LATER_CHANGE);
  }

  down(): Promise<void> {
    throw new Error('never run');
  }
}

export async function withLaterMigration<T>(work: () => Promise<T>): Promise<T> {
  MIGRATIONS.push(LaterMigration4102444800000);
  try {
    return await work();
  } finally {
    MIGRATIONS.pop();
  }
}
