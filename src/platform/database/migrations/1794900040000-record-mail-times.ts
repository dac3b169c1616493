import { findColumn, migration } from './dialect.js';

/** Records how long each e-mail took, and also e-mails to people who have no account yet. */
export const RecordMailTimes = migration('RecordMailTimes1794900040000', {
  mysql: [
    {
      sql: `
        ALTER TABLE mail_event
          MODIFY player_id INT NULL COMMENT 'whose mail it was; NULL: nobody had an account with this mailbox',
          ADD COLUMN ms INT NULL COMMENT 'milliseconds until the mail server took or refused it; NULL: it was held back, or is older than this column',
          ALGORITHM=INPLACE, LOCK=NONE`,
      done: findColumn('mail_event', 'ms'),
      survives: 'the columns only allow more',
    },
  ],
  // SQLite cannot change a column's definition.
  embedded: [
    'ALTER TABLE "mail_event" ADD COLUMN "ms" integer',
    'ALTER TABLE "mail_event" ADD COLUMN "owner" integer',
    'UPDATE "mail_event" SET "owner" = "player_id"',
    'DROP INDEX "mail_event_player_time"',
    'ALTER TABLE "mail_event" DROP COLUMN "player_id"',
    'ALTER TABLE "mail_event" RENAME COLUMN "owner" TO "player_id"',
    'CREATE INDEX "mail_event_player_time" ON "mail_event" ("player_id", "created_at")',
  ],
});
