import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SchemaProblem } from '../schema/schema-problem.js';
import { inDialect } from './dialect.js';

const NONSENSE = `SELECT id FROM server WHERE id < 1 OR merged_into < 1 OR address LIKE '%/%'
  OR gm_address LIKE '%/%' OR db_host LIKE '%/%' ORDER BY id`;

// SQLite adds no check to a table that exists. After: before, the id is not known yet.
const TRIGGERS = ['INSERT', 'UPDATE'].map(
  (change) => `
    CREATE TRIGGER "server_sense_${change.toLowerCase()}" AFTER ${change} ON "server"
    WHEN NEW."id" < 1 OR NEW."merged_into" < 1 OR NEW."merged_into" = NEW."id" OR NEW."address" LIKE '%/%'
      OR NEW."gm_address" LIKE '%/%' OR NEW."db_host" LIKE '%/%'
    BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: server_sense'); END`,
);

/**
 * The table refuses an address with `http://` and ids below 1. Neither MySQL nor MariaDB lets a check look at an
 * AUTO_INCREMENT column, so the id gets a type without negative numbers, and a merge into itself is left to the
 * command and to `ZonesService`.
 */
export class ServerRefusesNonsense1794713603000 implements MigrationInterface {
  name = 'ServerRefusesNonsense1794713603000';

  async up(runner: QueryRunner): Promise<void> {
    const bad = (await runner.query(NONSENSE)) as Array<{ id: number }> | undefined;
    // None where the statements are only listed.
    if (bad && bad.length > 0)
      throw new SchemaProblem(
        `these rows of server make no sense, mend or delete them first (an id below 1, an address with a slash): ` +
          bad.map(({ id }) => id).join(', '),
      );
    await inDialect(runner, {
      mysql: `
        ALTER TABLE server
          MODIFY id INT UNSIGNED NOT NULL AUTO_INCREMENT
            COMMENT 'the zone; its game database is mir_actor_s{id} unless the settings say otherwise',
          ADD CONSTRAINT server_plain_hosts CHECK
            (address NOT LIKE '%/%' AND COALESCE(gm_address, '') NOT LIKE '%/%' AND COALESCE(db_host, '') NOT LIKE '%/%'),
          ADD CONSTRAINT server_merged_into CHECK (merged_into > 0),
          ALGORITHM=COPY`,
      embedded: TRIGGERS,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        ALTER TABLE server DROP CONSTRAINT server_plain_hosts, DROP CONSTRAINT server_merged_into,
          MODIFY id INT NOT NULL AUTO_INCREMENT
            COMMENT 'the zone; its game database is mir_actor_s{id} unless the settings say otherwise'`,
      embedded: ['DROP TRIGGER "server_sense_insert"', 'DROP TRIGGER "server_sense_update"'],
    });
  }
}
