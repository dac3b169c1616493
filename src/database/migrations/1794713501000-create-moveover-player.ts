import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateMoveoverPlayer1794713501000 implements MigrationInterface {
  name = 'CreateMoveoverPlayer1794713501000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE moveover_player (
          old_key VARBINARY(192) NOT NULL
            COMMENT 'id in the old table, 8 bytes; where that has none, the bytes of the name',
          player_id INT NULL COMMENT 'NULL: could not be moved',
          row_sum INT UNSIGNED NOT NULL COMMENT 'CRC32 of the old row as it was taken',
          password_sum INT UNSIGNED NOT NULL
            COMMENT 'CRC32 of the password as it was written here; another one now: the player changed it',
          email_sum INT UNSIGNED NOT NULL COMMENT 'the same of the mailbox',
          banned TINYINT NOT NULL,
          PRIMARY KEY (old_key),
          UNIQUE KEY moveover_player_player (player_id)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4
          COMMENT = 'who was moved over from the previous generation, for gatehouse moveover'`,
      embedded: `
        CREATE TABLE "moveover_player" (
          "old_key" blob PRIMARY KEY NOT NULL,
          "player_id" integer UNIQUE,
          "row_sum" integer NOT NULL,
          "password_sum" integer NOT NULL,
          "email_sum" integer NOT NULL,
          "banned" integer NOT NULL
        )`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE moveover_player');
  }
}
