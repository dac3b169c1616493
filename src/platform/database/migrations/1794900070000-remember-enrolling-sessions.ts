import { findColumn, migration } from './dialect.js';

/** Lets the session that has just set up an app add a passkey without a code from that app. */
export const RememberEnrollingSessions = migration('RememberEnrollingSessions1794900070000', {
  mysql: [
    {
      sql: `ALTER TABLE player_totp ADD COLUMN session_id BIGINT NULL
        COMMENT 'the session that set it up; NULL: from before this column, or a token without a session', ALGORITHM=INSTANT`,
      done: findColumn('player_totp', 'session_id'),
    },
  ],
  embedded: ['ALTER TABLE "player_totp" ADD COLUMN "session_id" bigint'],
});
