import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateOperatorSession1794713801000 implements MigrationInterface {
  name = 'CreateOperatorSession1794713801000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE operator_session (
          id VARCHAR(43) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
            COMMENT 'SHA-256 of the cookie, in base64url',
          operator_id INT NOT NULL,
          address VARCHAR(45) NOT NULL COMMENT 'where it signed in',
          created_at DATETIME(3) NOT NULL COMMENT 'UTC; the sign-in',
          seen_at DATETIME(3) NOT NULL COMMENT 'UTC; last use, exact to a minute; 30 minutes later it is over',
          expires_at DATETIME(3) NOT NULL COMMENT 'UTC; over, used or not',
          PRIMARY KEY (id),
          KEY operator_session_operator_id (operator_id),
          KEY operator_session_expires_at (expires_at)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'sign-ins at the desk; deleted when they end'`,
      embedded: [
        `CREATE TABLE "operator_session" (
          "id" varchar(43) PRIMARY KEY NOT NULL,
          "operator_id" integer NOT NULL,
          "address" varchar(45) NOT NULL,
          "created_at" datetime(3) NOT NULL,
          "seen_at" datetime(3) NOT NULL,
          "expires_at" datetime(3) NOT NULL
        )`,
        'CREATE INDEX "operator_session_operator_id" ON "operator_session" ("operator_id")',
        'CREATE INDEX "operator_session_expires_at" ON "operator_session" ("expires_at")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operator_session');
  }
}
