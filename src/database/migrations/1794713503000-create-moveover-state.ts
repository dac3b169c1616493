import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateMoveoverState1794713503000 implements MigrationInterface {
  name = 'CreateMoveoverState1794713503000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE moveover_state (
          name VARCHAR(32) NOT NULL,
          value TEXT NOT NULL,
          PRIMARY KEY (name)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
          COMMENT = 'what gatehouse moveover remembers: its source, checksums of small tables'`,
      embedded: `
        CREATE TABLE "moveover_state" (
          "name" varchar(32) PRIMARY KEY NOT NULL,
          "value" text NOT NULL
        )`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE moveover_state');
  }
}
