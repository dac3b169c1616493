import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Both at once: MariaDB would intersect the other two keys and sort what is left, 400 ms in half a million rows. */
export class IndexAuditOperatorAct1794713816000 implements MigrationInterface {
  name = 'IndexAuditOperatorAct1794713816000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX audit_event_operator_act ON audit_event (operator, act, created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('audit_event', 'audit_event_operator_act');
  }
}
