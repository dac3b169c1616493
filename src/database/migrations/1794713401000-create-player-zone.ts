import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

/** Without a foreign key: it would lock the player's row once more at every entry, and nothing is decided by these rows. */
export class CreatePlayerZone1794713401000 implements MigrationInterface {
  name = 'CreatePlayerZone1794713401000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE player_zone (
          player_id INT NOT NULL COMMENT 'the account',
          server_id INT NOT NULL COMMENT 'a zone that it has entered',
          entered_at DATETIME(3) NOT NULL COMMENT 'UTC; the last time',
          enter_count INT NOT NULL DEFAULT 1 COMMENT 'how often',
          PRIMARY KEY (player_id, server_id)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'which zones a player has entered; a zone that was never entered has no row'`,
      embedded: `
        CREATE TABLE "player_zone" (
          "player_id" integer NOT NULL,
          "server_id" integer NOT NULL,
          "entered_at" datetime(3) NOT NULL,
          "enter_count" integer NOT NULL DEFAULT (1),
          PRIMARY KEY ("player_id", "server_id")
        )`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE player_zone');
  }
}
