import {
  findColumn,
  findKey,
  migration,
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
    {
      sql: 'ALTER TABLE agent MODIFY name VARCHAR(128) NOT NULL, ALGORITHM=INPLACE, LOCK=NONE',
      survives: 'the column only allows more',
    },
    {
      sql: 'ALTER TABLE player ADD COLUMN nickname VARCHAR(64) NULL, ALGORITHM=INSTANT',
      done: findColumn('player', 'nickname'),
    },
    {
      sql: 'UPDATE player SET nickname = account WHERE nickname IS NULL AND id BETWEEN ? AND ?',
      along: 'player.id',
      survives: 'it does not know the column',
    },
    {
      sql: 'CREATE INDEX player_nickname ON player (nickname) ALGORITHM=INPLACE LOCK=NONE',
      done: findKey('player', 'player_nickname'),
    },
    {
      sql: 'ALTER TABLE chat DROP KEY chat_time, ADD KEY chat_hour (time, account), ALGORITHM=INPLACE, LOCK=NONE',
      done: findKey('chat', 'chat_hour'),
      survives: 'its queries are as quick with the other key',
    },
    {
      sql: `ALTER TABLE server ADD COLUMN region VARCHAR(32) NULL,
      ADD CONSTRAINT server_region CHECK (TRIM(region) <> ''), ALGORITHM=COPY`,
      done: findColumn('server', 'region'),
      survives: 'it never sets the column',
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
export const LATER = 'LaterMigration4102444800000';

export async function withLaterMigration<T>(
  work: () => Promise<T>,
  change: SchemaChange = LATER_CHANGE,
  name = LATER,
): Promise<T> {
  MIGRATIONS.push(migration(name, change));
  try {
    return await work();
  } finally {
    MIGRATIONS.pop();
  }
}
