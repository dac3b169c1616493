import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last sign-in that worked: before it, strangers may have failed a hundred thousand times. */
export class IndexLoginEventOutcome1794713912000 implements MigrationInterface {
  name = 'IndexLoginEventOutcome1794713912000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX login_event_player_outcome ON login_event (player_id, outcome, created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('login_event', 'login_event_player_outcome');
  }
}
