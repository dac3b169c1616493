import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What one operator did, newest first. */
export class IndexAuditOperator1794713814000 implements MigrationInterface {
  name = 'IndexAuditOperator1794713814000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX audit_event_operator ON audit_event (operator, created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('audit_event', 'audit_event_operator');
  }
}
