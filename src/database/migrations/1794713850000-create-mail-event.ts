import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateMailEvent1794713850000 implements MigrationInterface {
  name = 'CreateMailEvent1794713850000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE mail_event (
          id BIGINT NOT NULL AUTO_INCREMENT,
          created_at DATETIME(3) NOT NULL COMMENT 'UTC; when the outcome was known',
          player_id INT NOT NULL COMMENT 'whose mail it was',
          kind VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
            COMMENT 'its folder of templates: code, reset, siege, new-device or email-changed',
          outcome VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
            COMMENT 'sent, uncertain: it may have arrived, failed, or held_back by verify.per_minute_all',
          mailbox VARCHAR(260) NOT NULL COMMENT 'never the whole of it',
          PRIMARY KEY (id),
          KEY mail_event_player_time (player_id, created_at),
          KEY mail_event_created_at (created_at)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'mails to players, without what they say; deleted after login_events.retention_days of the settings'`,
      embedded: [
        `CREATE TABLE "mail_event" (
          "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
          "created_at" datetime(3) NOT NULL,
          "player_id" integer NOT NULL,
          "kind" varchar(32) NOT NULL,
          "outcome" varchar(16) NOT NULL,
          "mailbox" varchar(260) NOT NULL
        )`,
        'CREATE INDEX "mail_event_player_time" ON "mail_event" ("player_id", "created_at")',
        'CREATE INDEX "mail_event_created_at" ON "mail_event" ("created_at")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mail_event');
  }
}
