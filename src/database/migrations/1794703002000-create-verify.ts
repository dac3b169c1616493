import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateVerify1794703002000 implements MigrationInterface {
  name = 'CreateVerify1794703002000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE verify (
          email VARCHAR(254) NOT NULL COMMENT 'lower case; a new code takes the place of the old one',
          code VARCHAR(64) NOT NULL COMMENT 'keyed hash; the code itself is nowhere but in the mail',
          tries INT NOT NULL COMMENT 'wrong tries; at 5 the code is void',
          expires_at DATETIME(3) NOT NULL COMMENT 'UTC; 60 seconds after the mail server took the message',
          used_at DATETIME(3) NULL COMMENT 'UTC; set: used up',
          PRIMARY KEY (email),
          KEY verify_expires_at (expires_at)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'e-mailed codes; old rows are removed by the service'`,
      embedded: [
        `CREATE TABLE "verify" (
          "email" varchar(254) PRIMARY KEY NOT NULL,
          "code" varchar(64) NOT NULL,
          "tries" integer NOT NULL,
          "expires_at" datetime(3) NOT NULL,
          "used_at" datetime(3)
        )`,
        'CREATE INDEX "verify_expires_at" ON "verify" ("expires_at")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE verify');
  }
}
