import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BYTE_FOR_BYTE, dropTables, inDialect, type SchemaChange } from './dialect.js';

const STATUSES = "'created','sending','succeeded','refused','failed','unknown'";
const CAUSES = "'request','balance','gm','sweeper','gm_query','person','sql'";
// Any other status may have to be settled by a person.
const IS_OPEN = "CASE WHEN status NOT IN ('succeeded', 'refused', 'failed') THEN 1 END";
// A withdrawal gets its order number right before it is sent.
const NEVER_SENT = "status <> 'created' OR order_no IS NULL";
const SENT = "status NOT IN ('sending', 'unknown', 'succeeded') OR order_no IS NOT NULL";
// NULL has a meaning in each of these; a GUI editor may save '' instead.
const NO_BLANKS = ['reason', 'idempotency_key', 'order_no', 'gm_host', 'gm_path']
  .map((column) => `${column} <> ''`)
  .join(' AND ');

const WITHDRAW: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS withdraw (
      id INT NOT NULL AUTO_INCREMENT COMMENT 'the withdrawal, for players and operators',
      player_id INT NOT NULL COMMENT 'the account',
      server_id INT NOT NULL COMMENT 'server the player chose',
      role_server_id INT NOT NULL COMMENT 'server whose game database holds the role: another where server_id was merged',
      role_id BIGINT NOT NULL COMMENT 'role in the game; ids are the server''s own',
      role_name VARCHAR(64) NOT NULL COMMENT 'name of the role at the time',
      amount BIGINT NOT NULL COMMENT 'deducted from the role''s balance',
      balance_before BIGINT NULL COMMENT 'seen in the game database before sending',
      status ENUM(${STATUSES}) NOT NULL
        COMMENT 'settle unknown ones: set succeeded or failed, WHERE status = ''unknown''; the role is free at once',
      reason VARCHAR(64) NULL COMMENT 'error name of a refused or failed one',
      idempotency_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
        COMMENT 'of the client; kept for ever',
      request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
        COMMENT 'X-Request-Id of the player''s request',
      order_no VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
        COMMENT 'what the game server knows it by; NULL: nothing was ever sent',
      gm_host VARCHAR(255) CHARACTER SET utf8mb4 COLLATE ${BYTE_FOR_BYTE} NULL
        COMMENT 'game server that the command went to; the only one that is asked for its outcome',
      gm_port INT NULL COMMENT 'port of gm_host',
      gm_path VARCHAR(255) CHARACTER SET utf8mb4 COLLATE ${BYTE_FOR_BYTE} NULL COMMENT 'path on gm_host',
      created_at DATETIME(3) NOT NULL COMMENT 'UTC; the player''s request',
      sent_at DATETIME(3) NULL COMMENT 'UTC; the command went out right after',
      settled_at DATETIME(3) NULL COMMENT 'UTC; when the outcome was known',
      asks INT NOT NULL DEFAULT 0 COMMENT 'how often the game server was asked for the outcome',
      asked_at DATETIME(3) NULL COMMENT 'UTC; the last time it was asked',
      mailed_at DATETIME(3) NULL COMMENT 'UTC; when the mail to the owner was sent, once for each withdrawal',
      is_open INT AS (${IS_OPEN}) STORED COMMENT 'allows one open withdrawal per server and role',
      PRIMARY KEY (id),
      UNIQUE KEY withdraw_open (role_server_id, role_id, is_open),
      UNIQUE KEY withdraw_key (player_id, idempotency_key),
      UNIQUE KEY withdraw_order (order_no),
      KEY withdraw_player (player_id, created_at),
      KEY withdraw_status (status, created_at),
      KEY withdraw_settled_at (settled_at),
      KEY withdraw_request (request_id),
      KEY withdraw_created_at (created_at),
      KEY withdraw_server (role_server_id, created_at),
      KEY withdraw_server_status (role_server_id, status, created_at),
      CONSTRAINT withdraw_amount CHECK (amount > 0),
      CONSTRAINT withdraw_never_sent CHECK (${NEVER_SENT}),
      CONSTRAINT withdraw_sent CHECK (${SENT}),
      CONSTRAINT withdraw_status CHECK (status IN (${STATUSES})),
      CONSTRAINT withdraw_no_blanks CHECK (${NO_BLANKS})
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
      COMMENT = 'Gatehouse: withdrawals; what happened to each is in withdraw_event'`,
  embedded: [
    `CREATE TABLE "withdraw" (
      "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
      "player_id" integer NOT NULL,
      "server_id" integer NOT NULL,
      "role_server_id" integer NOT NULL,
      "role_id" bigint NOT NULL,
      "role_name" varchar(64) NOT NULL,
      "amount" bigint NOT NULL CHECK ("amount" > 0),
      "balance_before" bigint,
      "status" varchar CHECK( "status" IN (${STATUSES}) ) NOT NULL,
      "reason" varchar(64),
      "idempotency_key" varchar(64),
      "request_id" varchar(64),
      "order_no" varchar(64) CHECK (${NEVER_SENT}) CHECK (${SENT}) CHECK (${NO_BLANKS}),
      "gm_host" varchar(255),
      "gm_port" integer,
      "gm_path" varchar(255),
      "created_at" datetime(3) NOT NULL,
      "sent_at" datetime(3),
      "settled_at" datetime(3),
      "asks" integer NOT NULL DEFAULT (0),
      "asked_at" datetime(3),
      "mailed_at" datetime(3),
      "is_open" integer AS (${IS_OPEN}) STORED
    )`,
    'CREATE UNIQUE INDEX "withdraw_open" ON "withdraw" ("role_server_id", "role_id", "is_open")',
    'CREATE UNIQUE INDEX "withdraw_key" ON "withdraw" ("player_id", "idempotency_key")',
    'CREATE UNIQUE INDEX "withdraw_order" ON "withdraw" ("order_no")',
    'CREATE INDEX "withdraw_player" ON "withdraw" ("player_id", "created_at")',
    'CREATE INDEX "withdraw_status" ON "withdraw" ("status", "created_at")',
    'CREATE INDEX "withdraw_settled_at" ON "withdraw" ("settled_at")',
    'CREATE INDEX "withdraw_request" ON "withdraw" ("request_id")',
    'CREATE INDEX "withdraw_created_at" ON "withdraw" ("created_at")',
    'CREATE INDEX "withdraw_server" ON "withdraw" ("role_server_id", "created_at")',
    'CREATE INDEX "withdraw_server_status" ON "withdraw" ("role_server_id", "status", "created_at")',
  ],
};

const WITHDRAW_EVENT: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS withdraw_event (
      id INT NOT NULL AUTO_INCREMENT COMMENT 'in the order of the events',
      withdraw_id INT NOT NULL COMMENT 'the withdrawal',
      from_status ENUM(${STATUSES}) NULL COMMENT 'NULL: the withdrawal is new',
      to_status ENUM(${STATUSES}) NOT NULL COMMENT 'status from then on',
      cause ENUM(${CAUSES}) NOT NULL
        COMMENT 'gm: the game server''s answer, or none; gm_query: it was asked later; sql: an edit that the service noticed',
      evidence VARCHAR(1000) NOT NULL COMMENT 'why: the answer, the balance, or the operator''s note',
      created_at DATETIME(3) NOT NULL COMMENT 'UTC',
      PRIMARY KEY (id),
      KEY withdraw_event_withdraw (withdraw_id)
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
      COMMENT = 'Gatehouse: every change of a withdrawal''s status; rows are only added'`,
  embedded: [
    `CREATE TABLE "withdraw_event" (
      "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
      "withdraw_id" integer NOT NULL,
      "from_status" varchar CHECK( "from_status" IN (${STATUSES}) ),
      "to_status" varchar CHECK( "to_status" IN (${STATUSES}) ) NOT NULL,
      "cause" varchar CHECK( "cause" IN (${CAUSES}) ) NOT NULL,
      "evidence" varchar(1000) NOT NULL,
      "created_at" datetime(3) NOT NULL
    )`,
    'CREATE INDEX "withdraw_event_withdraw" ON "withdraw_event" ("withdraw_id")',
  ],
};

const WITHDRAW_ORPHAN: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS withdraw_orphan (
      id INT NOT NULL AUTO_INCREMENT COMMENT 'its own, not that of the withdrawal',
      order_no VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
        COMMENT 'what the game server knows it by',
      outcome VARCHAR(16) NOT NULL
        COMMENT 'what the game server said: accepted, refused, not_sent or unknown',
      evidence VARCHAR(1000) NOT NULL COMMENT 'the game server''s answer',
      withdraw_id INT NOT NULL
        COMMENT 'id that its row had; another withdrawal may have it now',
      player_id INT NOT NULL COMMENT 'the account',
      server_id INT NOT NULL COMMENT 'server the player chose',
      role_server_id INT NOT NULL COMMENT 'server whose game database holds the role',
      role_id BIGINT NOT NULL COMMENT 'role in the game; ids are the server''s own',
      role_name VARCHAR(64) NOT NULL COMMENT 'name of the role at the time',
      amount BIGINT NOT NULL COMMENT 'deducted, where the outcome is accepted',
      balance_before BIGINT NULL COMMENT 'seen in the game database before sending',
      idempotency_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'of the client',
      requested_at DATETIME(3) NOT NULL COMMENT 'UTC; created_at of its row',
      sent_at DATETIME(3) NOT NULL COMMENT 'UTC; the command went out right after',
      gm_host VARCHAR(255) NOT NULL COMMENT 'game server that the command went to',
      gm_port INT NOT NULL COMMENT 'port of gm_host',
      gm_path VARCHAR(255) NOT NULL COMMENT 'path on gm_host',
      created_at DATETIME(3) NOT NULL COMMENT 'UTC; when the service missed the row',
      handled_at DATETIME(3) NULL
        COMMENT 'UTC; set it once a person has dealt with it: the alarm ends',
      PRIMARY KEY (id),
      UNIQUE KEY withdraw_orphan_order (order_no)
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
      COMMENT = 'Gatehouse: orders that were sent and whose row in withdraw is gone; for a person'`,
  embedded: [
    `CREATE TABLE "withdraw_orphan" (
      "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
      "order_no" varchar(64) NOT NULL,
      "outcome" varchar(16) NOT NULL,
      "evidence" varchar(1000) NOT NULL,
      "withdraw_id" integer NOT NULL,
      "player_id" integer NOT NULL,
      "server_id" integer NOT NULL,
      "role_server_id" integer NOT NULL,
      "role_id" bigint NOT NULL,
      "role_name" varchar(64) NOT NULL,
      "amount" bigint NOT NULL,
      "balance_before" bigint,
      "idempotency_key" varchar(64),
      "requested_at" datetime(3) NOT NULL,
      "sent_at" datetime(3) NOT NULL,
      "gm_host" varchar(255) NOT NULL,
      "gm_port" integer NOT NULL,
      "gm_path" varchar(255) NOT NULL,
      "created_at" datetime(3) NOT NULL,
      "handled_at" datetime(3)
    )`,
    'CREATE UNIQUE INDEX "withdraw_orphan_order" ON "withdraw_orphan" ("order_no")',
  ],
};

export class CreateWithdrawals1794800005000 implements MigrationInterface {
  name = 'CreateWithdrawals1794800005000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, WITHDRAW, WITHDRAW_EVENT, WITHDRAW_ORPHAN);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropTables(runner, 'withdraw_orphan', 'withdraw_event', 'withdraw');
  }
}
