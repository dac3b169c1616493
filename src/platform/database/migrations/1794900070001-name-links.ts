import { findColumn, migration } from './dialect.js';

/** Stores under which name the forum knows a linked person, because players do not know their number there. */
export const NameLinks = migration('NameLinks1794900070001', {
  mysql: [
    {
      sql: `ALTER TABLE player_connect_threeparty ADD COLUMN name VARCHAR(40) NULL
        COMMENT 'name there at the last sign-in through it, only for display; NULL: unknown', ALGORITHM=INSTANT`,
      done: findColumn('player_connect_threeparty', 'name'),
    },
  ],
  embedded: [
    'ALTER TABLE "player_connect_threeparty" ADD COLUMN "name" varchar(40) CHECK (length("name") <= 40)',
  ],
});
