import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every withdrawal asks for the zones that were merged, which are few. */
export class IndexMergedZones1794713703000 implements MigrationInterface {
  name = 'IndexMergedZones1794713703000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX server_merged ON server (merged_into)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('server', 'server_merged');
  }
}
