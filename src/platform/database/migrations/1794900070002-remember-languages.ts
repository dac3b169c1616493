import { findColumn, migration } from './dialect.js';

/** Stores the language in which a player uses the pages, so that e-mails can use it. */
export const RememberLanguages = migration('RememberLanguages1794900070002', {
  mysql: [
    {
      sql: `ALTER TABLE player ADD COLUMN language VARCHAR(2) CHARACTER SET ascii COLLATE ascii_bin NULL
        COMMENT 'zh or en, of the registration or the last entry to a server, for mails; NULL: mails in both', ALGORITHM=INSTANT`,
      done: findColumn('player', 'language'),
    },
  ],
  embedded: [
    'ALTER TABLE "player" ADD COLUMN "language" varchar(2) CHECK (length("language") <= 2)',
  ],
});
