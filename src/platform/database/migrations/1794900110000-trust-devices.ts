import { findColumn, migration } from './dialect.js';

/** Lets a browser skip the second step of a sign-in for some days. */
export const TrustDevices = migration('TrustDevices1794900110000', {
  mysql: [
    {
      sql: `ALTER TABLE session ADD COLUMN trust_hash VARCHAR(43) CHARACTER SET ascii COLLATE ascii_bin NULL
        COMMENT 'hash of the cookie with which sign-ins from this browser skip the second step; NULL where there is none', ALGORITHM=INSTANT`,
      done: findColumn('session', 'trust_hash'),
    },
    {
      sql: `ALTER TABLE session ADD COLUMN trusted_until DATETIME(3) NULL
        COMMENT 'UTC; until when that cookie works, unless the session ends before', ALGORITHM=INSTANT`,
      done: findColumn('session', 'trusted_until'),
    },
  ],
  embedded: [
    'ALTER TABLE "session" ADD COLUMN "trust_hash" varchar(43) CHECK (length("trust_hash") <= 43)',
    'ALTER TABLE "session" ADD COLUMN "trusted_until" datetime(3) CHECK ("trusted_until" IS NULL OR julianday("trusted_until") IS NOT NULL)',
  ],
});
