import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateLoginAddress1794703001000 implements MigrationInterface {
  name = 'CreateLoginAddress1794703001000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE login_address (
          player_id INT NOT NULL,
          address VARCHAR(64) NOT NULL COMMENT 'an IPv4 address, or the /64 of an IPv6 one',
          seen_at DATETIME(3) NOT NULL COMMENT 'UTC; last login, exact to a day',
          PRIMARY KEY (player_id, address),
          KEY login_address_seen_at (seen_at)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'where an account was logged in from in the last 30 days; strangers who fail on it do not lock these out'`,
      embedded: [
        `CREATE TABLE "login_address" (
          "player_id" integer NOT NULL,
          "address" varchar(64) NOT NULL,
          "seen_at" datetime(3) NOT NULL,
          PRIMARY KEY ("player_id", "address")
        )`,
        'CREATE INDEX "login_address_seen_at" ON "login_address" ("seen_at")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE login_address');
  }
}
