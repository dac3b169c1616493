import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class AddZoneGroup1794713400000 implements MigrationInterface {
  name = 'AddZoneGroup1794713400000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      // A CHECK needs a copy of the table; zones are few.
      mysql: `
        ALTER TABLE server
          ADD COLUMN zone_group VARCHAR(32) NULL
            COMMENT 'the tab under which players find the zone; NULL: none, zones without one are shown in twenties',
          ADD COLUMN recommended TINYINT NOT NULL DEFAULT 0
            COMMENT '1: offered to players first; with none, the newest open zone is',
          ADD CONSTRAINT server_zone_group CHECK (TRIM(zone_group) <> ''),
          ADD CONSTRAINT server_recommended CHECK (recommended IN (0, 1)),
          ALGORITHM=COPY`,
      embedded: [
        `ALTER TABLE "server" ADD COLUMN "zone_group" varchar(32)
          CHECK (trim("zone_group") <> '' AND length("zone_group") <= 32)`,
        `ALTER TABLE "server" ADD COLUMN "recommended" boolean NOT NULL DEFAULT (0)
          CHECK ("recommended" IN (0, 1))`,
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        ALTER TABLE server
          DROP CONSTRAINT server_zone_group, DROP CONSTRAINT server_recommended,
          DROP COLUMN zone_group, DROP COLUMN recommended`,
      embedded: [
        'ALTER TABLE "server" DROP COLUMN "zone_group"',
        'ALTER TABLE "server" DROP COLUMN "recommended"',
      ],
    });
  }
}
