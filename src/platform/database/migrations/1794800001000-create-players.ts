import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropTables, inDialect, type SchemaChange } from './dialect.js';

const AGENT: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS agent (
      id INT NOT NULL AUTO_INCREMENT COMMENT 'the agent_id in a promoter''s links',
      name VARCHAR(64) NOT NULL COMMENT 'what operators call the promoter',
      active TINYINT NOT NULL DEFAULT 1 COMMENT '0: new players are no longer counted for this promoter',
      PRIMARY KEY (id)
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
      COMMENT = 'Gatehouse: promoters'`,
  embedded: `
    CREATE TABLE "agent" (
      "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
      "name" varchar(64) NOT NULL,
      "active" boolean NOT NULL DEFAULT (1)
    )`,
};

// A collation without padding: to utf8mb4_bin, names that differ by spaces at the end are the same.
// Each of the two database servers executes its own comment.
const BYTE_FOR_BYTE = '/*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */';
const NOT_BLANK = "TRIM(game_account) <> ''";

// Generated columns are stored: with a key over a virtual one, MariaDB cannot add a column to the table instantly.
const PLAYER: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS player (
      id INT NOT NULL AUTO_INCREMENT COMMENT 'the player, in every other table',
      account VARCHAR(64) NOT NULL COMMENT 'unique without regard to case',
      password VARCHAR(64) NOT NULL COMMENT 'md5(password + PASSWORD_KEY) in lower-case hex',
      email VARCHAR(254) NULL COMMENT 'lower case; NULL where there is none',
      server_id INT NULL COMMENT 'server chosen last',
      ip VARCHAR(45) NULL COMMENT 'address seen last',
      device VARCHAR(64) NULL COMMENT 'device at registration',
      os VARCHAR(64) NULL COMMENT 'operating system at registration',
      browse VARCHAR(64) NULL COMMENT 'browser at registration',
      agent_id INT NULL COMMENT 'promoter',
      ver INT NOT NULL DEFAULT 0 COMMENT 'grows with each password reset; ends every older JWT',
      disabled_at DATETIME(3) NULL COMMENT 'UTC; set: no login, and no token of the account works',
      created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) COMMENT 'UTC; the registration',
      entered_at DATETIME(3) NULL COMMENT 'UTC; last time in a game',
      enter_count INT NOT NULL DEFAULT 0 COMMENT 'how often the player has entered a game',
      game_account VARCHAR(64) CHARACTER SET utf8mb4 COLLATE ${BYTE_FOR_BYTE} NULL
        COMMENT 'exact name in the game''s tables, compared byte for byte; NULL: account, until it is first needed',
      game_account_folded VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci AS (game_account) STORED
        COMMENT 'game_account without regard to case; nobody can register it',
      lock_version INT NOT NULL DEFAULT 0
        COMMENT 'grows with each lock on the account: nodes of a cluster compare changes, not locks',
      PRIMARY KEY (id),
      UNIQUE KEY player_account (account),
      UNIQUE KEY player_email (email),
      UNIQUE KEY player_game_name (game_account),
      KEY player_game_folded (game_account_folded),
      CONSTRAINT player_game_account CHECK (${NOT_BLANK})
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
      COMMENT = 'Gatehouse: accounts'`,
  embedded: [
    `CREATE TABLE "player" (
      "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
      "account" varchar(64) NOT NULL COLLATE NOCASE,
      "password" varchar(64) NOT NULL,
      "email" varchar(254) COLLATE NOCASE,
      "server_id" integer,
      "ip" varchar(45),
      "device" varchar(64),
      "os" varchar(64),
      "browse" varchar(64),
      "agent_id" integer,
      "ver" integer NOT NULL DEFAULT (0),
      "disabled_at" datetime(3),
      "created_at" datetime NOT NULL DEFAULT (datetime('now')),
      "entered_at" datetime(3),
      "enter_count" integer NOT NULL DEFAULT (0),
      "game_account" varchar(64) CHECK (${NOT_BLANK}),
      "game_account_folded" varchar(64) COLLATE NOCASE AS ("game_account") VIRTUAL,
      "lock_version" integer NOT NULL DEFAULT (0)
    )`,
    'CREATE UNIQUE INDEX "player_account" ON "player" ("account")',
    'CREATE UNIQUE INDEX "player_email" ON "player" ("email")',
    'CREATE UNIQUE INDEX "player_game_name" ON "player" ("game_account")',
    'CREATE INDEX "player_game_folded" ON "player" ("game_account_folded")',
  ],
};

const PLAYER_ALIAS: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS player_alias (
      name VARCHAR(65) NOT NULL
        COMMENT '= and a name exactly as it is typed, or ~ and a name in lower case, typed in any case',
      player_id INT NOT NULL COMMENT 'the player who logs in with the name',
      PRIMARY KEY (name),
      KEY player_alias_player (player_id)
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
      COMMENT = 'Gatehouse: old names of players who were renamed when they were moved over; they go on logging in with them'`,
  embedded: `
    CREATE TABLE "player_alias" (
      "name" varchar(65) PRIMARY KEY NOT NULL,
      "player_id" integer NOT NULL
    )`,
};

// No foreign key: it would lock the player's row once more at every entry, and no decision depends on these rows.
const PLAYER_ZONE: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS player_zone (
      player_id INT NOT NULL COMMENT 'the account',
      server_id INT NOT NULL COMMENT 'a server that it has entered',
      entered_at DATETIME(3) NOT NULL COMMENT 'UTC; the last time',
      enter_count INT NOT NULL DEFAULT 1 COMMENT 'how often',
      PRIMARY KEY (player_id, server_id)
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
      COMMENT = 'Gatehouse: which servers a player has entered; a server that was never entered has no row'`,
  embedded: `
    CREATE TABLE "player_zone" (
      "player_id" integer NOT NULL,
      "server_id" integer NOT NULL,
      "entered_at" datetime(3) NOT NULL,
      "enter_count" integer NOT NULL DEFAULT (1),
      PRIMARY KEY ("player_id", "server_id")
    )`,
};

const LOGIN_ADDRESS: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS login_address (
      player_id INT NOT NULL COMMENT 'the account',
      address VARCHAR(64) NOT NULL COMMENT 'an IPv4 address, or the /64 of an IPv6 one',
      seen_at DATETIME(3) NOT NULL COMMENT 'UTC; last login, exact to a day',
      PRIMARY KEY (player_id, address),
      KEY login_address_seen_at (seen_at)
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
      COMMENT = 'Gatehouse: where an account was logged in from in the last 30 days; strangers who fail on it do not lock these out'`,
  embedded: [
    `CREATE TABLE "login_address" (
      "player_id" integer NOT NULL,
      "address" varchar(64) NOT NULL,
      "seen_at" datetime(3) NOT NULL,
      PRIMARY KEY ("player_id", "address")
    )`,
    'CREATE INDEX "login_address_seen_at" ON "login_address" ("seen_at")',
  ],
};

const REGISTRATION_DAY: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS registration_day (
      day VARCHAR(10) NOT NULL COMMENT 'such as 2026-11-15, in the timezone of the settings',
      taken INT NOT NULL COMMENT 'registrations of that day, held against day_max_reg',
      PRIMARY KEY (day)
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
      COMMENT = 'Gatehouse: one row a day, so that the cap needs no counting of players'`,
  embedded: `
    CREATE TABLE "registration_day" (
      "day" varchar(10) PRIMARY KEY NOT NULL,
      "taken" integer NOT NULL
    )`,
};

export class CreatePlayers1794800001000 implements MigrationInterface {
  name = 'CreatePlayers1794800001000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(
      runner,
      AGENT,
      PLAYER,
      PLAYER_ALIAS,
      PLAYER_ZONE,
      LOGIN_ADDRESS,
      REGISTRATION_DAY,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropTables(runner, 'registration_day', 'login_address', 'player_zone', 'player_alias');
    await dropTables(runner, 'player', 'agent');
  }
}
