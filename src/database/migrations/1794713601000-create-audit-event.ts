import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateAuditEvent1794713601000 implements MigrationInterface {
  name = 'CreateAuditEvent1794713601000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE audit_event (
          id BIGINT NOT NULL AUTO_INCREMENT,
          created_at DATETIME(3) NOT NULL
            COMMENT 'UTC; of an SQL edit: when the service saw it',
          operator VARCHAR(64) NOT NULL
            COMMENT 'who did it; sql: an edit by SQL, and nobody said who',
          act VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
            COMMENT 'such as player.disable',
          subject VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
            COMMENT 'such as player 42',
          state_before TEXT NULL COMMENT 'JSON',
          state_after TEXT NULL COMMENT 'JSON',
          note VARCHAR(1000) NOT NULL
            COMMENT 'why, in the operator''s words',
          change_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
            COMMENT 'of an SQL edit: several instances see it, one of them writes it down',
          PRIMARY KEY (id),
          UNIQUE KEY audit_event_change (change_key),
          KEY audit_event_subject (subject),
          KEY audit_event_created_at (created_at)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'what operators did, and SQL edits as far as they were seen; kept for ever'`,
      embedded: [
        `CREATE TABLE "audit_event" (
          "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
          "created_at" datetime(3) NOT NULL,
          "operator" varchar(64) NOT NULL,
          "act" varchar(32) NOT NULL,
          "subject" varchar(64) NOT NULL,
          "state_before" text,
          "state_after" text,
          "note" varchar(1000) NOT NULL,
          "change_key" varchar(64)
        )`,
        'CREATE UNIQUE INDEX "audit_event_change" ON "audit_event" ("change_key")',
        'CREATE INDEX "audit_event_subject" ON "audit_event" ("subject")',
        'CREATE INDEX "audit_event_created_at" ON "audit_event" ("created_at")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_event');
  }
}
