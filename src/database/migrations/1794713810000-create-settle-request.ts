import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

/** Its primary key is what makes one wish of two that come at once. */
export class CreateSettleRequest1794713810000 implements MigrationInterface {
  name = 'CreateSettleRequest1794713810000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE settle_request (
          withdraw_id INT NOT NULL,
          order_no VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
            COMMENT 'of the withdrawal; after a failover its id alone may be another''s',
          outcome ENUM('succeeded','failed') NOT NULL
            COMMENT 'as what it is to be settled',
          operator VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
            COMMENT 'who asks for it; another one has to agree',
          note VARCHAR(1000) NOT NULL
            COMMENT 'what it rests on, in the operator''s words',
          created_at DATETIME(3) NOT NULL COMMENT 'UTC',
          PRIMARY KEY (withdraw_id)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'withdrawals above desk.four_eyes_above that one operator wants settled and a second has not confirmed yet'`,
      embedded: `
        CREATE TABLE "settle_request" (
          "withdraw_id" integer PRIMARY KEY NOT NULL,
          "order_no" varchar(64) NOT NULL,
          "outcome" varchar CHECK( "outcome" IN ('succeeded','failed') ) NOT NULL,
          "operator" varchar(64) NOT NULL,
          "note" varchar(1000) NOT NULL,
          "created_at" datetime(3) NOT NULL
        )`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE settle_request');
  }
}
