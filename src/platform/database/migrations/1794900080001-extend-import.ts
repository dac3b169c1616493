import { findColumn, migration } from './dialect.js';

const COLUMNS = {
  name_sum: 'CRC32 of the old name as it was read; 0: imported by an earlier version',
  link_sum: 'CRC32 of the identity that was linked; 0: none',
};

/** Lets a later run of the import see which names and links changed in the old database. */
export const ExtendImport = migration('ExtendImport1794900080001', {
  mysql: Object.entries(COLUMNS).map(([column, comment]) => ({
    sql: `ALTER TABLE import_player ADD COLUMN ${column} INT UNSIGNED NOT NULL DEFAULT 0 COMMENT '${comment}', ALGORITHM=INSTANT`,
    done: findColumn('import_player', column),
  })),
  embedded: Object.keys(COLUMNS).map(
    (column) => `ALTER TABLE "import_player" ADD COLUMN "${column}" integer NOT NULL DEFAULT (0)`,
  ),
});
