import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The withdrawals of one zone and status: by one of them alone, all rows of the zone are read where none has that status. */
export class IndexWithdrawZoneStatus1794713911000 implements MigrationInterface {
  name = 'IndexWithdrawZoneStatus1794713911000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX withdraw_zone_status ON withdraw (zone_id, status, created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('withdraw', 'withdraw_zone_status');
  }
}
