import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

/** `game_account` is compared byte by byte. Whether a new account takes somebody's name is asked without regard to case. */
export class FoldGameAccount1794713701000 implements MigrationInterface {
  name = 'FoldGameAccount1794713701000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        ALTER TABLE player
          ADD COLUMN game_account_folded VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci
            AS (game_account) VIRTUAL COMMENT 'game_account without regard to case; nobody can register it'`,
      embedded:
        'ALTER TABLE "player" ADD COLUMN "game_account_folded" varchar(64) COLLATE NOCASE AS ("game_account") VIRTUAL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE player DROP COLUMN game_account_folded');
  }
}
