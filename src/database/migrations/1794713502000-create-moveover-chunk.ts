import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateMoveoverChunk1794713502000 implements MigrationInterface {
  name = 'CreateMoveoverChunk1794713502000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE moveover_chunk (
          last_key VARBINARY(192) NOT NULL COMMENT 'the last old row of the chunk',
          after_key VARBINARY(192) NOT NULL COMMENT 'the old row before its first one',
          checksum VARCHAR(64) NOT NULL COMMENT 'of its old rows as they were taken: number, XOR, sum',
          PRIMARY KEY (last_key)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4
          COMMENT = 'old rows that gatehouse moveover has taken'`,
      embedded: `
        CREATE TABLE "moveover_chunk" (
          "last_key" blob PRIMARY KEY NOT NULL,
          "after_key" blob NOT NULL,
          "checksum" varchar(64) NOT NULL
        )`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE moveover_chunk');
  }
}
