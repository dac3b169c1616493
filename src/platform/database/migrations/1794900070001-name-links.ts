import { findColumn, migration } from './dialect.js';

/** Stores the linked person's forum name, because players do not know their forum id. */
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
