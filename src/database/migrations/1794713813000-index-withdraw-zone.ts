import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The withdrawals of one zone, newest first. */
export class IndexWithdrawZone1794713813000 implements MigrationInterface {
  name = 'IndexWithdrawZone1794713813000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX withdraw_zone ON withdraw (zone_id, created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('withdraw', 'withdraw_zone');
  }
}
