import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest withdrawals, and those of a span. */
export class IndexWithdrawCreatedAt1794713812000 implements MigrationInterface {
  name = 'IndexWithdrawCreatedAt1794713812000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX withdraw_created_at ON withdraw (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('withdraw', 'withdraw_created_at');
  }
}
