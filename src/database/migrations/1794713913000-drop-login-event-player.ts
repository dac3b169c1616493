import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

/** The keys by time and by outcome begin with the player too. */
export class DropLoginEventPlayer1794713913000 implements MigrationInterface {
  name = 'DropLoginEventPlayer1794713913000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: 'ALTER TABLE login_event DROP INDEX login_event_player',
      embedded: 'DROP INDEX "login_event_player"',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX login_event_player ON login_event (player_id)');
  }
}
