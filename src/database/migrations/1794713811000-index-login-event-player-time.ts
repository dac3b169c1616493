import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A player's timeline is read by time, page by page. */
export class IndexLoginEventPlayerTime1794713811000 implements MigrationInterface {
  name = 'IndexLoginEventPlayerTime1794713811000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX login_event_player_time ON login_event (player_id, created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('login_event', 'login_event_player_time');
  }
}
