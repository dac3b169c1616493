import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateLoginEvent1794713600000 implements MigrationInterface {
  name = 'CreateLoginEvent1794713600000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE login_event (
          id BIGINT NOT NULL AUTO_INCREMENT,
          created_at DATETIME(3) NOT NULL
            COMMENT 'UTC; of the last one where there are several tries',
          way VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
            COMMENT 'login, register, reset or forum',
          outcome VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
            COMMENT 'ok, or the name of the error',
          tries INT NOT NULL DEFAULT 1
            COMMENT 'how many this row stands for: the same failure again within a minute is counted, not written',
          player_id INT NULL
            COMMENT 'NULL: no player has that name',
          account VARCHAR(64) NULL
            COMMENT 'the name as it was typed, up to 64 characters; NULL where nobody has it: it may be a password',
          address VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NULL
            COMMENT 'NULL: several, in a flood',
          device VARCHAR(128) NULL
            COMMENT 'what the form said, else the browser''s User-Agent',
          session_id BIGINT NULL,
          request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
            COMMENT 'stands in the log lines of the request',
          PRIMARY KEY (id),
          KEY login_event_player (player_id),
          KEY login_event_address (address),
          KEY login_event_created_at (created_at)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'sign-ins and failed ones; deleted after login_events.retention_days of the settings'`,
      embedded: [
        `CREATE TABLE "login_event" (
          "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
          "created_at" datetime(3) NOT NULL,
          "way" varchar(16) NOT NULL,
          "outcome" varchar(32) NOT NULL,
          "tries" integer NOT NULL DEFAULT (1),
          "player_id" integer,
          "account" varchar(64),
          "address" varchar(45),
          "device" varchar(128),
          "session_id" bigint,
          "request_id" varchar(64)
        )`,
        'CREATE INDEX "login_event_player" ON "login_event" ("player_id")',
        'CREATE INDEX "login_event_address" ON "login_event" ("address")',
        'CREATE INDEX "login_event_created_at" ON "login_event" ("created_at")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE login_event');
  }
}
