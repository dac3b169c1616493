import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

const STATUSES = "'created','sending','succeeded','refused','failed','unknown'";
const IS_OPEN = "CASE WHEN status IN ('created', 'sending', 'unknown') THEN 1 END";
const EDITED = 'CASE WHEN status <> noted_status THEN 1 END';
// Nothing was sent while there is no order number, and nothing is sent without one.
const NEVER_SENT = "status <> 'created' OR order_no IS NULL";
const SENT = "status NOT IN ('sending', 'unknown', 'succeeded') OR order_no IS NOT NULL";

export class CreateWithdraw1794705000000 implements MigrationInterface {
  name = 'CreateWithdraw1794705000000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE withdraw (
          id INT NOT NULL AUTO_INCREMENT,
          player_id INT NOT NULL,
          server_id INT NOT NULL COMMENT 'zone the player chose',
          zone_id INT NOT NULL COMMENT 'zone whose game database holds the role: another where server_id was merged',
          role_id BIGINT NOT NULL,
          role_name VARCHAR(64) NOT NULL,
          amount BIGINT NOT NULL,
          status ENUM(${STATUSES}) NOT NULL
            COMMENT 'settle unknown ones: set succeeded or failed, WHERE status = ''unknown''; the role is free at once',
          reason VARCHAR(64) NULL COMMENT 'error name of a refused or failed one',
          order_no VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
            COMMENT 'what the game server knows it by; NULL: nothing was ever sent',
          idempotency_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
            COMMENT 'of the client; kept for ever',
          balance_before BIGINT NULL COMMENT 'seen in the game database before sending',
          created_at DATETIME(3) NOT NULL COMMENT 'UTC',
          sent_at DATETIME(3) NULL COMMENT 'UTC; the command went out right after',
          settled_at DATETIME(3) NULL COMMENT 'UTC',
          asks INT NOT NULL DEFAULT 0 COMMENT 'how often the game server was asked for the outcome',
          asked_at DATETIME(3) NULL COMMENT 'UTC; the last time it was asked',
          noted_status ENUM(${STATUSES}) NOT NULL
            COMMENT 'status that withdraw_event last told of; leave it to the service',
          is_open INT AS (${IS_OPEN}) STORED COMMENT 'holds one open withdrawal per zone and role',
          edited INT AS (${EDITED}) STORED COMMENT 'the service notes an edit in withdraw_event within 30 s',
          PRIMARY KEY (id),
          UNIQUE KEY withdraw_open (zone_id, role_id, is_open),
          UNIQUE KEY withdraw_key (player_id, idempotency_key),
          UNIQUE KEY withdraw_order (order_no),
          KEY withdraw_player (player_id, created_at),
          KEY withdraw_status (status, created_at),
          KEY withdraw_edited (edited),
          CONSTRAINT withdraw_amount CHECK (amount > 0),
          CONSTRAINT withdraw_never_sent CHECK (${NEVER_SENT}),
          CONSTRAINT withdraw_sent CHECK (${SENT})
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'withdrawals; what happened to each is in withdraw_event'`,
      embedded: [
        `CREATE TABLE "withdraw" (
          "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
          "player_id" integer NOT NULL,
          "server_id" integer NOT NULL,
          "zone_id" integer NOT NULL,
          "role_id" bigint NOT NULL,
          "role_name" varchar(64) NOT NULL,
          "amount" bigint NOT NULL CHECK ("amount" > 0),
          "status" varchar CHECK( "status" IN (${STATUSES}) ) NOT NULL,
          "reason" varchar(64),
          "order_no" varchar(64) CHECK (${NEVER_SENT}) CHECK (${SENT}),
          "idempotency_key" varchar(64),
          "balance_before" bigint,
          "created_at" datetime(3) NOT NULL,
          "sent_at" datetime(3),
          "settled_at" datetime(3),
          "asks" integer NOT NULL DEFAULT (0),
          "asked_at" datetime(3),
          "noted_status" varchar CHECK( "noted_status" IN (${STATUSES}) ) NOT NULL,
          "is_open" integer AS (${IS_OPEN}) STORED,
          "edited" integer AS (${EDITED}) STORED
        )`,
        'CREATE UNIQUE INDEX "withdraw_open" ON "withdraw" ("zone_id", "role_id", "is_open")',
        'CREATE UNIQUE INDEX "withdraw_key" ON "withdraw" ("player_id", "idempotency_key")',
        'CREATE UNIQUE INDEX "withdraw_order" ON "withdraw" ("order_no")',
        'CREATE INDEX "withdraw_player" ON "withdraw" ("player_id", "created_at")',
        'CREATE INDEX "withdraw_status" ON "withdraw" ("status", "created_at")',
        'CREATE INDEX "withdraw_edited" ON "withdraw" ("edited")',
      ],
    });
    await this.createEvents(runner);
  }

  private async createEvents(runner: QueryRunner): Promise<void> {
    const causes = "'request','balance','gm','sweeper','gm_query','person','sql'";
    await inDialect(runner, {
      mysql: `
        CREATE TABLE withdraw_event (
          id INT NOT NULL AUTO_INCREMENT,
          withdraw_id INT NOT NULL,
          from_status ENUM(${STATUSES}) NULL COMMENT 'NULL: it came into being',
          to_status ENUM(${STATUSES}) NOT NULL,
          cause ENUM(${causes}) NOT NULL
            COMMENT 'gm: the game server''s answer, or none; gm_query: it was asked later; sql: an edit that the service noticed',
          evidence VARCHAR(1000) NOT NULL,
          created_at DATETIME(3) NOT NULL COMMENT 'UTC',
          PRIMARY KEY (id),
          KEY withdraw_event_withdraw (withdraw_id)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'every change of state of a withdrawal; appended only'`,
      embedded: [
        `CREATE TABLE "withdraw_event" (
          "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
          "withdraw_id" integer NOT NULL,
          "from_status" varchar CHECK( "from_status" IN (${STATUSES}) ),
          "to_status" varchar CHECK( "to_status" IN (${STATUSES}) ) NOT NULL,
          "cause" varchar CHECK( "cause" IN (${causes}) ) NOT NULL,
          "evidence" varchar(1000) NOT NULL,
          "created_at" datetime(3) NOT NULL
        )`,
        'CREATE INDEX "withdraw_event_withdraw" ON "withdraw_event" ("withdraw_id")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE withdraw_event');
    await runner.query('DROP TABLE withdraw');
  }
}
