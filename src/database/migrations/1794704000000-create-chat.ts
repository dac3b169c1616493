import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateChat1794704000000 implements MigrationInterface {
  name = 'CreateChat1794704000000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      // Each further key would cost an eighth of the records per second: most of an insert is its keys. Role names and ids are compared byte by byte: in the table's own collation all emoji are equal.
      mysql: `
        CREATE TABLE chat (
          id BIGINT NOT NULL AUTO_INCREMENT,
          server_id INT NOT NULL
            COMMENT 'zone it was said in',
          chat_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
            COMMENT 'the game''s own id of it, unique within the zone; NULL where the game gave none',
          account VARCHAR(64) NULL
            COMMENT 'account of the speaker',
          role_id BIGINT NULL
            COMMENT 'role of the speaker; ids are the zone''s own',
          role_name VARCHAR(64) COLLATE utf8mb4_bin NULL
            COMMENT 'what the role was called then',
          channel VARCHAR(32) NULL
            COMMENT 'where in the game, in the game''s words',
          content VARCHAR(2000) NOT NULL
            COMMENT 'as it was sent',
          time DATETIME NOT NULL
            COMMENT 'UTC; when it was said, by the game''s clock',
          created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)
            COMMENT 'UTC; when it was reported; chat.retention_days counts from here',
          PRIMARY KEY (id),
          UNIQUE KEY chat_id (server_id, chat_id),
          KEY chat_zone (server_id, time),
          KEY chat_account (account, time),
          KEY chat_role (server_id, role_id, time)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'what was said in the games, for moderators'`,
      embedded: [
        `CREATE TABLE "chat" (
          "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
          "server_id" integer NOT NULL,
          "chat_id" varchar(64),
          "account" varchar(64) COLLATE NOCASE,
          "role_id" bigint,
          "role_name" varchar(64),
          "channel" varchar(32),
          "content" varchar(2000) NOT NULL,
          "time" datetime NOT NULL,
          "created_at" datetime(3) NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
        )`,
        'CREATE UNIQUE INDEX "chat_id" ON "chat" ("server_id", "chat_id")',
        'CREATE INDEX "chat_zone" ON "chat" ("server_id", "time")',
        'CREATE INDEX "chat_account" ON "chat" ("account", "time")',
        'CREATE INDEX "chat_role" ON "chat" ("server_id", "role_id", "time")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE chat');
  }
}
