import { findColumn, migration } from './dialect.js';

/** Stores why a game server's request was refused, and the text that it should have signed. */
export const ExplainRefusals = migration('ExplainRefusals1794900120001', {
  mysql: [
    {
      sql: `
        ALTER TABLE refused_request
          ADD COLUMN reason VARCHAR(250) NULL COMMENT 'why a game server''s request was refused; NULL: of a player',
          ADD COLUMN signed_text VARCHAR(1000) NULL COMMENT 'what a game server should have signed, without the secret',
          ALGORITHM=INPLACE, LOCK=NONE`,
      done: findColumn('refused_request', 'signed_text'),
    },
  ],
  embedded: [
    'ALTER TABLE "refused_request" ADD COLUMN "reason" varchar(250)',
    'ALTER TABLE "refused_request" ADD COLUMN "signed_text" varchar(1000)',
  ],
});
