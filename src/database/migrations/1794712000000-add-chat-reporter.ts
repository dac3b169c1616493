import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

/** Two statements, since MySQL rewrites the whole table when both changes stand in one. */
export class AddChatReporter1794712000000 implements MigrationInterface {
  name = 'AddChatReporter1794712000000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: [
        `ALTER TABLE chat
          MODIFY chat_id VARCHAR(110) CHARACTER SET ascii COLLATE ascii_bin NULL
            COMMENT 'the game''s own id of it, unique within the zone; NULL where the game gave none; a stranger''s has his address and a space before it'`,
        `ALTER TABLE chat
          ADD COLUMN reported_by VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NULL
            COMMENT 'address that reported it; NULL for records older than this column'`,
      ],
      embedded: rebuilt(110, '"reported_by" varchar(45)'),
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM chat WHERE chat_id LIKE '% %'`);
    await inDialect(runner, {
      mysql: `
        ALTER TABLE chat
          DROP COLUMN reported_by,
          MODIFY chat_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
            COMMENT 'the game''s own id of it, unique within the zone; NULL where the game gave none'`,
      embedded: rebuilt(64),
    });
  }
}

/** SQLite cannot change the type of a column. */
function rebuilt(idLength: number, ...further: string[]): string[] {
  const kept =
    'id, server_id, chat_id, account, role_id, role_name, channel, content, time, created_at';
  const columns = [
    '"id" integer PRIMARY KEY AUTOINCREMENT NOT NULL',
    '"server_id" integer NOT NULL',
    `"chat_id" varchar(${idLength})`,
    '"account" varchar(64) COLLATE NOCASE',
    '"role_id" bigint',
    '"role_name" varchar(64)',
    '"channel" varchar(32)',
    '"content" varchar(2000) NOT NULL',
    '"time" datetime NOT NULL',
    `"created_at" datetime(3) NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))`,
    ...further,
  ];
  return [
    `CREATE TABLE "chat_new" (${columns.join(', ')})`,
    `INSERT INTO "chat_new" (${kept}) SELECT ${kept} FROM "chat"`,
    'DROP TABLE "chat"',
    'ALTER TABLE "chat_new" RENAME TO "chat"',
    'CREATE UNIQUE INDEX "chat_id" ON "chat" ("server_id", "chat_id")',
    'CREATE INDEX "chat_zone" ON "chat" ("server_id", "time")',
    'CREATE INDEX "chat_account" ON "chat" ("account", "time")',
    'CREATE INDEX "chat_role" ON "chat" ("server_id", "role_id", "time")',
  ];
}
