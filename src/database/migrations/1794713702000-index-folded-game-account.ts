import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IndexFoldedGameAccount1794713702000 implements MigrationInterface {
  name = 'IndexFoldedGameAccount1794713702000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX player_game_folded ON player (game_account_folded)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('player', 'player_game_folded');
  }
}
