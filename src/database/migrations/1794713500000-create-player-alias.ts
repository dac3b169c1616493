import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDialect } from './dialect.js';

export class CreatePlayerAlias1794713500000 implements MigrationInterface {
  name = 'CreatePlayerAlias1794713500000';

  async up(runner: QueryRunner): Promise<void> {
    await inDialect(runner, {
      mysql: `
        CREATE TABLE player_alias (
          name VARCHAR(65) NOT NULL
            COMMENT '= and a name exactly as it is typed, or ~ and a name in lower case, typed in any case',
          player_id INT NOT NULL COMMENT 'whom the name finds',
          PRIMARY KEY (name),
          KEY player_alias_player (player_id)
        ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
          COMMENT = 'old names of players who were renamed when they were moved over; they go on logging in with them'`,
      embedded: `
        CREATE TABLE "player_alias" (
          "name" varchar(65) PRIMARY KEY NOT NULL,
          "player_id" integer NOT NULL
        )`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE player_alias');
  }
}
