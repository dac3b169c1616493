import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every act of one kind, newest first. */
export class IndexAuditAct1794713815000 implements MigrationInterface {
  name = 'IndexAuditAct1794713815000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX audit_event_act ON audit_event (act, created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('audit_event', 'audit_event_act');
  }
}
