import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

/** Whether a new account takes somebody's name in the game is asked without regard to case; whose a role is, byte by byte. */
export class FoldGameAccount1794713700000 implements MigrationInterface {
  name = 'FoldGameAccount1794713700000';

  async up(runner: QueryRunner): Promise<void> {
    // Stored, so copied once: with a key over a virtual column, MariaDB never again adds a column to the table at once.
    await inDialect(runner, {
      mysql: `
        ALTER TABLE player
          ADD COLUMN game_account_folded VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci
            AS (game_account) STORED COMMENT 'game_account without regard to case; nobody can register it',
          ADD COLUMN game_account_length INT AS (LENGTH(game_account)) STORED
            COMMENT 'in bytes; to a key, names that differ by spaces at the end are the same',
          ALGORITHM=COPY`,
      embedded: [
        'ALTER TABLE "player" ADD COLUMN "game_account_folded" varchar(64) COLLATE NOCASE AS ("game_account") VIRTUAL',
        'ALTER TABLE "player" ADD COLUMN "game_account_length" integer AS (LENGTH("game_account")) VIRTUAL',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['game_account_folded', 'game_account_length'])
      await runner.query(`ALTER TABLE player DROP COLUMN ${column}`);
  }
}
