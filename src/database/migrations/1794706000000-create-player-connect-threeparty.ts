import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreatePlayerConnectThreeparty1794706000000 implements MigrationInterface {
  name = 'CreatePlayerConnectThreeparty1794706000000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE player_connect_threeparty (
          player_id INT NOT NULL COMMENT 'the local account; its links go when it is deleted',
          provider VARCHAR(32) NOT NULL COMMENT 'who gave the identity, such as forum',
          connect_id VARCHAR(128) NOT NULL COMMENT 'the identity there; compared exactly',
          created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) COMMENT 'UTC',
          PRIMARY KEY (player_id, provider),
          UNIQUE KEY player_connect_identity (provider, connect_id),
          CONSTRAINT player_connect_player FOREIGN KEY (player_id) REFERENCES player (id) ON DELETE CASCADE ON UPDATE NO ACTION
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
          COMMENT = 'third-party identities of accounts'`,
      embedded: [
        `CREATE TABLE "player_connect_threeparty" (
          "player_id" integer NOT NULL,
          "provider" varchar(32) NOT NULL,
          "connect_id" varchar(128) NOT NULL,
          "created_at" datetime NOT NULL DEFAULT (datetime('now')),
          CONSTRAINT "player_connect_player" FOREIGN KEY ("player_id") REFERENCES "player" ("id") ON DELETE CASCADE ON UPDATE NO ACTION,
          PRIMARY KEY ("player_id", "provider")
        )`,
        'CREATE UNIQUE INDEX "player_connect_identity" ON "player_connect_threeparty" ("provider", "connect_id")',
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE player_connect_threeparty');
  }
}
