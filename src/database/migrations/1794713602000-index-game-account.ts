import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a name is somebody's in the game is asked before an account gets it. */
export class IndexGameAccount1794713602000 implements MigrationInterface {
  name = 'IndexGameAccount1794713602000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX player_game_account ON player (game_account)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('player', 'player_game_account');
  }
}
