import { findColumn, migration } from './dialect.js';

/** Stores the address and the session of each withdrawal, because logs are kept only for days. */
export const LocateWithdrawals = migration('LocateWithdrawals1794900020000', {
  mysql: [
    {
      sql: `ALTER TABLE withdraw ADD COLUMN address VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NULL
        COMMENT 'of the client; NULL: from before this column, or the account was closed', ALGORITHM=INSTANT`,
      done: findColumn('withdraw', 'address'),
    },
    {
      sql: `ALTER TABLE withdraw ADD COLUMN session_id BIGINT NULL
        COMMENT 'the session that asked for it, as in login_event; NULL: as for address, or a token without a session', ALGORITHM=INSTANT`,
      done: findColumn('withdraw', 'session_id'),
    },
  ],
  embedded: [
    'ALTER TABLE "withdraw" ADD COLUMN "address" varchar(45) CHECK (length("address") <= 45)',
    'ALTER TABLE "withdraw" ADD COLUMN "session_id" bigint',
  ],
});
