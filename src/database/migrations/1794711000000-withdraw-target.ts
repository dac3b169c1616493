import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

/** Where an order was sent, orders whose row is gone, and the name under which the game knows a player. */
export class WithdrawTarget1794711000000 implements MigrationInterface {
  name = 'WithdrawTarget1794711000000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: [
        `ALTER TABLE withdraw
          ADD COLUMN gm_host VARCHAR(255) NULL
            COMMENT 'game server that the command went to; the only one that is asked for its outcome',
          ADD COLUMN gm_port INT NULL,
          ADD COLUMN gm_path VARCHAR(255) NULL`,
        `ALTER TABLE player
          ADD COLUMN game_account VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL
            COMMENT 'exact name in the game''s tables, compared byte by byte; NULL: the same as account'`,
      ],
      embedded: [
        'ALTER TABLE "withdraw" ADD COLUMN "gm_host" varchar(255)',
        'ALTER TABLE "withdraw" ADD COLUMN "gm_port" integer',
        'ALTER TABLE "withdraw" ADD COLUMN "gm_path" varchar(255)',
        'ALTER TABLE "player" ADD COLUMN "game_account" varchar(64)',
      ],
    });
    await this.createOrphans(runner);
  }

  private async createOrphans(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE withdraw_orphan (
          id INT NOT NULL AUTO_INCREMENT,
          order_no VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
            COMMENT 'what the game server knows it by',
          outcome VARCHAR(16) NOT NULL
            COMMENT 'what the game server said: accepted, refused, not_sent or unknown',
          evidence VARCHAR(1000) NOT NULL,
          withdraw_id INT NOT NULL
            COMMENT 'id that its row had; another withdrawal may bear it now',
          player_id INT NOT NULL,
          server_id INT NOT NULL,
          zone_id INT NOT NULL,
          role_id BIGINT NOT NULL,
          role_name VARCHAR(64) NOT NULL,
          amount BIGINT NOT NULL,
          balance_before BIGINT NULL,
          idempotency_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
          requested_at DATETIME(3) NOT NULL COMMENT 'UTC; created_at of its row',
          sent_at DATETIME(3) NOT NULL COMMENT 'UTC',
          gm_host VARCHAR(255) NOT NULL,
          gm_port INT NOT NULL,
          gm_path VARCHAR(255) NOT NULL,
          created_at DATETIME(3) NOT NULL COMMENT 'UTC',
          handled_at DATETIME(3) NULL
            COMMENT 'UTC; set it when a person has seen to it: the alarm ends',
          PRIMARY KEY (id),
          UNIQUE KEY withdraw_orphan_order (order_no)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'orders that were sent and whose row in withdraw is gone; for a person'`,
      embedded: [
        `CREATE TABLE "withdraw_orphan" (
          "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
          "order_no" varchar(64) NOT NULL,
          "outcome" varchar(16) NOT NULL,
          "evidence" varchar(1000) NOT NULL,
          "withdraw_id" integer NOT NULL,
          "player_id" integer NOT NULL,
          "server_id" integer NOT NULL,
          "zone_id" integer NOT NULL,
          "role_id" bigint NOT NULL,
          "role_name" varchar(64) NOT NULL,
          "amount" bigint NOT NULL,
          "balance_before" bigint,
          "idempotency_key" varchar(64),
          "requested_at" datetime(3) NOT NULL,
          "sent_at" datetime(3) NOT NULL,
          "gm_host" varchar(255) NOT NULL,
          "gm_port" integer NOT NULL,
          "gm_path" varchar(255) NOT NULL,
          "created_at" datetime(3) NOT NULL,
          "handled_at" datetime(3)
        )`,
        'CREATE UNIQUE INDEX "withdraw_orphan_order" ON "withdraw_orphan" ("order_no")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE withdraw_orphan');
    await runner.query('ALTER TABLE player DROP COLUMN game_account');
    for (const column of ['gm_host', 'gm_port', 'gm_path'])
      await runner.query(`ALTER TABLE withdraw DROP COLUMN ${column}`);
  }
}
