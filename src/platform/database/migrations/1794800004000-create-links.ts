import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropTables, inDialect, type SchemaChange } from './dialect.js';

// No CASCADE: group replication with several primaries refuses tables whose foreign key cascades.
const PLAYER_CONNECT_THREEPARTY: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS player_connect_threeparty (
      player_id INT NOT NULL COMMENT 'the local account; delete its links before it',
      provider VARCHAR(32) NOT NULL COMMENT 'who gave the identity, such as forum',
      connect_id VARCHAR(128) NOT NULL COMMENT 'the identity there; compared exactly',
      created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) COMMENT 'UTC; when it was linked',
      PRIMARY KEY (player_id, provider),
      UNIQUE KEY player_connect_identity (provider, connect_id),
      CONSTRAINT player_connect_player FOREIGN KEY (player_id) REFERENCES player (id)
        ON DELETE NO ACTION ON UPDATE NO ACTION
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
      COMMENT = 'Gatehouse: third-party identities of accounts'`,
  embedded: [
    `CREATE TABLE "player_connect_threeparty" (
      "player_id" integer NOT NULL,
      "provider" varchar(32) NOT NULL,
      "connect_id" varchar(128) NOT NULL,
      "created_at" datetime NOT NULL DEFAULT (datetime('now')),
      CONSTRAINT "player_connect_player" FOREIGN KEY ("player_id") REFERENCES "player" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
      PRIMARY KEY ("player_id", "provider")
    )`,
    'CREATE UNIQUE INDEX "player_connect_identity" ON "player_connect_threeparty" ("provider", "connect_id")',
  ],
};

const USED_ONCE: SchemaChange = {
  mysql: `
    CREATE TABLE IF NOT EXISTS used_once (
      hash VARCHAR(43) NOT NULL COMMENT 'SHA-256 of the state, ticket or signature, in base64url',
      expires_at DATETIME(3) NOT NULL
        COMMENT 'UTC; from then on it is too old anyway, and the service removes the row',
      PRIMARY KEY (hash),
      KEY used_once_expires_at (expires_at)
    ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
      COMMENT = 'Gatehouse: states and tickets of forum logins and signatures of callbacks that were used'`,
  embedded: [
    `CREATE TABLE "used_once" (
      "hash" varchar(43) PRIMARY KEY NOT NULL,
      "expires_at" datetime(3) NOT NULL
    )`,
    'CREATE INDEX "used_once_expires_at" ON "used_once" ("expires_at")',
  ],
};

export class CreateLinks1794800004000 implements MigrationInterface {
  name = 'CreateLinks1794800004000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, PLAYER_CONNECT_THREEPARTY, USED_ONCE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropTables(runner, 'used_once', 'player_connect_threeparty');
  }
}
