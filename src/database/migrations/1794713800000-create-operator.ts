import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateOperator1794713800000 implements MigrationInterface {
  name = 'CreateOperator1794713800000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE operator (
          id INT NOT NULL AUTO_INCREMENT,
          name VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
          role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
            COMMENT 'support, moderator, treasury or admin; any other may do nothing',
          password VARCHAR(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
            COMMENT 'scrypt, with its salt; gatehouse operator reset makes a new one',
          totp_secret VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
            COMMENT 'base32; NULL: no sign-in but on the embedded database',
          totp_last_step INT NULL
            COMMENT 'of the last code that was used; none up to it works again',
          failures INT NOT NULL DEFAULT 0 COMMENT 'tries since the last sign-in or lock',
          locked_until DATETIME(3) NULL COMMENT 'UTC; no try before',
          disabled_at DATETIME(3) NULL COMMENT 'UTC; set: no sign-in and no session works',
          created_at DATETIME(3) NOT NULL COMMENT 'UTC',
          PRIMARY KEY (id),
          UNIQUE KEY operator_name (name)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'who may use the desk; changed by gatehouse operator'`,
      embedded: [
        `CREATE TABLE "operator" (
          "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
          "name" varchar(32) NOT NULL,
          "role" varchar(16) NOT NULL,
          "password" varchar(160) NOT NULL,
          "totp_secret" varchar(64),
          "totp_last_step" integer,
          "failures" integer NOT NULL DEFAULT (0),
          "locked_until" datetime(3),
          "disabled_at" datetime(3),
          "created_at" datetime(3) NOT NULL
        )`,
        'CREATE UNIQUE INDEX "operator_name" ON "operator" ("name")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operator');
  }
}
