import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropTables, inDialect, type SchemaChange } from './dialect.js';

const OPERATOR: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS operator (
      id INT NOT NULL AUTO_INCREMENT COMMENT 'the operator, in operator_session',
      name VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
        COMMENT 'for the sign-in, and in audit_event',
      role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
        COMMENT 'support, moderator, treasury or admin; any other may do nothing',
      password VARCHAR(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
        COMMENT 'scrypt, with its salt; gatehouse operator reset makes a new one',
      totp_secret VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
        COMMENT 'base32; NULL: no sign-in but on the embedded database',
      totp_last_step INT NULL
        COMMENT 'time step of the last used code; that code and older ones are refused',
      failures INT NOT NULL DEFAULT 0 COMMENT 'failed tries since the last sign-in or lock',
      locked_until DATETIME(3) NULL COMMENT 'UTC; every sign-in before is refused',
      disabled_at DATETIME(3) NULL COMMENT 'UTC; set: no sign-in and no session works',
      created_at DATETIME(3) NOT NULL COMMENT 'UTC',
      PRIMARY KEY (id),
      UNIQUE KEY operator_name (name)
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
      COMMENT = 'Gatehouse: who may use the desk; changed by gatehouse operator'`,
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
};

const OPERATOR_SESSION: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS operator_session (
      id VARCHAR(43) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
        COMMENT 'SHA-256 of the cookie, in base64url',
      operator_id INT NOT NULL COMMENT 'who signed in',
      address VARCHAR(45) NOT NULL COMMENT 'where from',
      created_at DATETIME(3) NOT NULL COMMENT 'UTC; the sign-in',
      seen_at DATETIME(3) NOT NULL COMMENT 'UTC; last use, exact to a minute; 30 minutes later it is over',
      expires_at DATETIME(3) NOT NULL COMMENT 'UTC; over, used or not',
      PRIMARY KEY (id),
      KEY operator_session_operator_id (operator_id),
      KEY operator_session_expires_at (expires_at)
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
      COMMENT = 'Gatehouse: sign-ins at the desk; deleted when they end'`,
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
};

// The primary key lets one of two simultaneous requests through.
const SETTLE_REQUEST: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS settle_request (
      withdraw_id INT NOT NULL COMMENT 'the withdrawal',
      order_no VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
        COMMENT 'of the withdrawal; after a failover its id alone may be another''s',
      outcome ENUM('succeeded','failed') NOT NULL COMMENT 'status that the operator wants',
      operator VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
        COMMENT 'who asks for it; another one has to agree',
      note VARCHAR(1000) NOT NULL COMMENT 'why, in the operator''s words',
      created_at DATETIME(3) NOT NULL COMMENT 'UTC',
      PRIMARY KEY (withdraw_id)
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
      COMMENT = 'Gatehouse: withdrawals above desk.four_eyes_above that one operator wants settled and a second has not confirmed yet'`,
  embedded: `
    CREATE TABLE "settle_request" (
      "withdraw_id" integer PRIMARY KEY NOT NULL,
      "order_no" varchar(64) NOT NULL,
      "outcome" varchar CHECK( "outcome" IN ('succeeded','failed') ) NOT NULL,
      "operator" varchar(64) NOT NULL,
      "note" varchar(1000) NOT NULL,
      "created_at" datetime(3) NOT NULL
    )`,
};

export class CreateOperators1794800008000 implements MigrationInterface {
  name = 'CreateOperators1794800008000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, OPERATOR, OPERATOR_SESSION, SETTLE_REQUEST);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropTables(runner, 'settle_request', 'operator_session', 'operator');
  }
}
