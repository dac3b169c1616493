import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateServer1794700800000 implements MigrationInterface {
  name = 'CreateServer1794700800000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE server (
          id INT NOT NULL AUTO_INCREMENT
            COMMENT 'the zone; its game database is mir_actor_s{id} unless the settings say otherwise',
          name VARCHAR(64) NOT NULL
            COMMENT 'what players see',
          address VARCHAR(255) NOT NULL
            COMMENT 'host name or address the game client connects to',
          port INT NOT NULL
            COMMENT 'port the game client connects to, 1-65535',
          status ENUM('new', 'normal', 'busy', 'full', 'maintenance', 'closed') NOT NULL DEFAULT 'normal'
            COMMENT 'full: nobody new registers into it; maintenance: listed, but nobody enters; closed: not listed at all',
          sort INT NOT NULL DEFAULT 0
            COMMENT 'place in the list, smallest first, then by id',
          open_at DATETIME NULL
            COMMENT 'UTC; listed before this time, but cannot be entered yet; NULL: open',
          merged_into INT NULL
            COMMENT 'id of the zone whose game database this one now uses; NULL: its own',
          gm_address VARCHAR(255) NULL
            COMMENT 'host of the GM interface; NULL: the same as address',
          gm_port INT NOT NULL DEFAULT 8080
            COMMENT 'port of the GM interface, 1-65535',
          gm_path VARCHAR(255) NOT NULL DEFAULT '/gm'
            COMMENT 'path of the GM interface, starts with /',
          db_host VARCHAR(255) NULL
            COMMENT 'host of the game database; NULL: that of GAME_DATABASE_URL',
          db_port INT NULL
            COMMENT 'port of the game database; NULL: that of GAME_DATABASE_URL',
          PRIMARY KEY (id),
          CONSTRAINT server_name CHECK (TRIM(name) <> ''),
          CONSTRAINT server_address CHECK (TRIM(address) <> ''),
          CONSTRAINT server_port CHECK (port BETWEEN 1 AND 65535),
          CONSTRAINT server_gm_port CHECK (gm_port BETWEEN 1 AND 65535),
          CONSTRAINT server_gm_path CHECK (gm_path LIKE '/%'),
          CONSTRAINT server_db_port CHECK (db_port BETWEEN 1 AND 65535)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'game zones; an edit shows on every instance within 2 seconds'`,
      embedded: `
        CREATE TABLE "server" (
          "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
          "name" varchar(64) NOT NULL CHECK (trim("name") <> ''),
          "address" varchar(255) NOT NULL CHECK (trim("address") <> ''),
          "port" integer NOT NULL CHECK ("port" BETWEEN 1 AND 65535),
          "status" varchar CHECK( "status" IN ('new','normal','busy','full','maintenance','closed') ) NOT NULL DEFAULT ('normal'),
          "sort" integer NOT NULL DEFAULT (0),
          "open_at" datetime,
          "merged_into" integer,
          "gm_address" varchar(255),
          "gm_port" integer NOT NULL DEFAULT (8080) CHECK ("gm_port" BETWEEN 1 AND 65535),
          "gm_path" varchar(255) NOT NULL DEFAULT ('/gm') CHECK ("gm_path" LIKE '/%'),
          "db_host" varchar(255),
          "db_port" integer CHECK ("db_port" BETWEEN 1 AND 65535)
        )`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE server');
  }
}
