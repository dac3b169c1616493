import { migration } from './dialect.js';

/** Records an account's first e-mail address like a changed one, because a thief may have set it. */
export const RecordFirstMailboxes = migration('RecordFirstMailboxes1794800012000', {
  mysql: [
    {
      sql: `
        ALTER TABLE mailbox_undo MODIFY email VARCHAR(254) NULL
          COMMENT 'the mailbox before, which the link in its mail restores; NULL: there was none', ALGORITHM=INPLACE, LOCK=NONE`,
      survives: 'the column only allows more',
    },
  ],
  // SQLite cannot change a column's definition.
  embedded: [
    'ALTER TABLE "mailbox_undo" ADD COLUMN "earlier" varchar(254) COLLATE NOCASE CHECK (length("earlier") <= 254)',
    'UPDATE "mailbox_undo" SET "earlier" = "email"',
    'ALTER TABLE "mailbox_undo" DROP COLUMN "email"',
    'ALTER TABLE "mailbox_undo" RENAME COLUMN "earlier" TO "email"',
  ],
});
