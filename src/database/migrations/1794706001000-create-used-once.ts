import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateUsedOnce1794706001000 implements MigrationInterface {
  name = 'CreateUsedOnce1794706001000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE used_once (
          hash VARCHAR(43) NOT NULL COMMENT 'SHA-256 of what was used, in base64url',
          expires_at DATETIME(3) NOT NULL COMMENT 'UTC; from then on it is refused for its age, and the row may go',
          PRIMARY KEY (hash),
          KEY used_once_expires_at (expires_at)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
          COMMENT = 'states and tickets of forum logins that have been used'`,
      embedded: [
        `CREATE TABLE "used_once" (
          "hash" varchar(43) PRIMARY KEY NOT NULL,
          "expires_at" datetime(3) NOT NULL
        )`,
        'CREATE INDEX "used_once_expires_at" ON "used_once" ("expires_at")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE used_once');
  }
}
