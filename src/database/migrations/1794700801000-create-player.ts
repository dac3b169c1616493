import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreatePlayer1794700801000 implements MigrationInterface {
  name = 'CreatePlayer1794700801000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE agent (
          id INT NOT NULL AUTO_INCREMENT COMMENT 'the agent_id in a promoter''s links',
          name VARCHAR(64) NOT NULL,
          active TINYINT NOT NULL DEFAULT 1 COMMENT '0: new players are no longer counted for this promoter',
          PRIMARY KEY (id)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'promoters'`,
      embedded: `
        CREATE TABLE "agent" (
          "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
          "name" varchar(64) NOT NULL,
          "active" boolean NOT NULL DEFAULT (1)
        )`,
    });
    await inDialect(runner, {
      mysql: `
        CREATE TABLE player (
          id INT NOT NULL AUTO_INCREMENT,
          account VARCHAR(64) NOT NULL COMMENT 'unique without regard to case',
          password VARCHAR(64) NOT NULL COMMENT 'md5(password + PASSWORD_KEY) in lower-case hex',
          email VARCHAR(254) NULL COMMENT 'lower case; NULL where there is none',
          server_id INT NULL COMMENT 'zone chosen last',
          ip VARCHAR(45) NULL COMMENT 'address seen last',
          device VARCHAR(64) NULL,
          os VARCHAR(64) NULL,
          browse VARCHAR(64) NULL COMMENT 'browser at registration',
          agent_id INT NULL COMMENT 'promoter',
          ver INT NOT NULL DEFAULT 0 COMMENT 'grows with each password reset; ends every older JWT',
          disabled_at DATETIME(3) NULL COMMENT 'UTC; set: no login, and no token of the account works',
          created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) COMMENT 'UTC',
          entered_at DATETIME(3) NULL COMMENT 'UTC; last time in a game',
          enter_count INT NOT NULL DEFAULT 0,
          PRIMARY KEY (id),
          UNIQUE KEY player_account (account),
          UNIQUE KEY player_email (email)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'accounts'`,
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
          "enter_count" integer NOT NULL DEFAULT (0)
        )`,
        'CREATE UNIQUE INDEX "player_account" ON "player" ("account")',
        'CREATE UNIQUE INDEX "player_email" ON "player" ("email")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE player');
    await runner.query('DROP TABLE agent');
  }
}
