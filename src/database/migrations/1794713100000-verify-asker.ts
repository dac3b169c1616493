import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

/** The tries of the address that asked for a code are counted apart from those of all others. */
export class VerifyAsker1794713100000 implements MigrationInterface {
  name = 'VerifyAsker1794713100000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        ALTER TABLE verify
          ADD COLUMN asked_by VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT ''
            COMMENT 'address that asked for the code, IPv6 as its /64; tries counts its wrong tries',
          ADD COLUMN tries_of_others INT NOT NULL DEFAULT 0
            COMMENT 'wrong tries of all other addresses; at 5 the code is void for them'`,
      embedded: [
        `ALTER TABLE "verify" ADD COLUMN "asked_by" varchar(64) NOT NULL DEFAULT ('')`,
        'ALTER TABLE "verify" ADD COLUMN "tries_of_others" integer NOT NULL DEFAULT (0)',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: 'ALTER TABLE verify DROP COLUMN asked_by, DROP COLUMN tries_of_others',
      embedded: [
        'ALTER TABLE "verify" DROP COLUMN "asked_by"',
        'ALTER TABLE "verify" DROP COLUMN "tries_of_others"',
      ],
    });
  }
}
