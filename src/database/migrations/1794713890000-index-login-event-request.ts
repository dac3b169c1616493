import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of one request. Whole: ids that another program gives may all begin alike. */
export class IndexLoginEventRequest1794713890000 implements MigrationInterface {
  name = 'IndexLoginEventRequest1794713890000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX login_event_request ON login_event (request_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('login_event', 'login_event_request');
  }
}
