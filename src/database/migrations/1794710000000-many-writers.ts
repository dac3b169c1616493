import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

const REFERENCE = 'FOREIGN KEY (player_id) REFERENCES player (id)';

/** What a database with many writers needs: locks that change a row, and no foreign key with CASCADE. */
export class ManyWriters1794710000000 implements MigrationInterface {
  name = 'ManyWriters1794710000000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `ALTER TABLE player ADD COLUMN lock_version INT NOT NULL DEFAULT 0
        COMMENT 'grows with each lock on the account: nodes of a cluster compare changes, not locks'`,
      embedded: 'ALTER TABLE "player" ADD COLUMN "lock_version" integer NOT NULL DEFAULT (0)',
    });
    await this.refer(runner, 'NO ACTION', 'delete them before the account');
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.refer(runner, 'CASCADE', 'its links go when it is deleted');
    await runner.query('ALTER TABLE player DROP COLUMN lock_version');
  }

  private async refer(runner: QueryRunner, onDelete: string, comment: string): Promise<void> {
    const rule = `${REFERENCE} ON DELETE ${onDelete} ON UPDATE NO ACTION`;
    await inDialect(runner, {
      mysql: [
        'ALTER TABLE player_connect_threeparty DROP FOREIGN KEY player_connect_player',
        `ALTER TABLE player_connect_threeparty MODIFY player_id INT NOT NULL
          COMMENT 'the local account; ${comment}'`,
        // With checks, the server would copy the table, and nobody could write meanwhile. The old key has checked all rows.
        'SET foreign_key_checks = 0',
        `ALTER TABLE player_connect_threeparty ADD CONSTRAINT player_connect_player ${rule}`,
        'SET foreign_key_checks = 1',
      ],
      // SQLite changes no constraint of a table that exists.
      embedded: [
        `CREATE TABLE "links" (
          "player_id" integer NOT NULL,
          "provider" varchar(32) NOT NULL,
          "connect_id" varchar(128) NOT NULL,
          "created_at" datetime NOT NULL DEFAULT (datetime('now')),
          CONSTRAINT "player_connect_player" ${rule.replaceAll(/\b(player_id|player|id)\b/g, '"$1"')},
          PRIMARY KEY ("player_id", "provider")
        )`,
        `INSERT INTO "links" SELECT "player_id", "provider", "connect_id", "created_at" FROM "player_connect_threeparty"`,
        'DROP TABLE "player_connect_threeparty"',
        'ALTER TABLE "links" RENAME TO "player_connect_threeparty"',
        'CREATE UNIQUE INDEX "player_connect_identity" ON "player_connect_threeparty" ("provider", "connect_id")',
      ],
    });
  }
}
