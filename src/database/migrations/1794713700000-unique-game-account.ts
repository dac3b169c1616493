import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SchemaProblem } from '../schema/schema-problem.js';
import { inDialect } from './dialect.js';

const SHARED = `SELECT game_account AS name FROM player WHERE game_account IS NOT NULL
  GROUP BY game_account HAVING COUNT(*) > 1 ORDER BY game_account LIMIT 20`;

/** A name in the game's tables is one player's: two with the same would withdraw from the same roles. */
export class UniqueGameAccount1794713700000 implements MigrationInterface {
  name = 'UniqueGameAccount1794713700000';

  async up(runner: QueryRunner): Promise<void> {
    const shared = (await runner.query(SHARED)) as Array<{ name: string }> | undefined;
    // None where the statements are only listed.
    if (shared && shared.length > 0)
      throw new SchemaProblem(
        `these names are the game_account of more than one player, find out whose they are first: ` +
          shared.map(({ name }) => JSON.stringify(name)).join(', '),
      );
    await inDialect(runner, {
      mysql: `
        ALTER TABLE player DROP KEY player_game_account, ADD UNIQUE KEY player_game_name (game_account)`,
      embedded: [
        'DROP INDEX "player_game_account"',
        'CREATE UNIQUE INDEX "player_game_name" ON "player" ("game_account")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('player', 'player_game_name');
    await runner.query('CREATE INDEX player_game_account ON player (game_account)');
  }
}
