import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreateRegistrationDay1794703000000 implements MigrationInterface {
  name = 'CreateRegistrationDay1794703000000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE registration_day (
          day VARCHAR(10) NOT NULL COMMENT 'such as 2026-11-15, in the timezone of the settings',
          taken INT NOT NULL COMMENT 'registrations of that day, held against day_max_reg',
          PRIMARY KEY (day)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci
          COMMENT = 'one row a day, so that the cap needs no counting of players'`,
      embedded: `
        CREATE TABLE "registration_day" (
          "day" varchar(10) PRIMARY KEY NOT NULL,
          "taken" integer NOT NULL
        )`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE registration_day');
  }
}
