import { findColumn, findKey, migration } from './dialect.js';

const MARK_OLD =
  'UPDATE player_ban SET lift_mailed_at = lifted_at WHERE lifted_at IS NOT NULL AND lift_mailed_at IS NULL';

/** Lets the service mail the owner when a ban is lifted. Bans that were lifted earlier count as mailed. */
export const MailLiftedBans = migration('MailLiftedBans1794900020100', {
  mysql: [
    {
      sql: `ALTER TABLE player_ban ADD COLUMN lift_mailed_at DATETIME(3) NULL
        COMMENT 'UTC; when the service mailed the owner that the ban was lifted; set it with lifted_at and it does not', ALGORITHM=INSTANT`,
      done: findColumn('player_ban', 'lift_mailed_at'),
    },
    {
      sql: 'CREATE INDEX player_ban_lift_mailed ON player_ban (lift_mailed_at, lifted_at) ALGORITHM=INPLACE LOCK=NONE',
      done: findKey('player_ban', 'player_ban_lift_mailed'),
    },
    {
      sql: `${MARK_OLD} AND id BETWEEN ? AND ?`,
      along: 'player_ban.id',
      survives: 'it neither reads nor writes the column',
    },
  ],
  embedded: [
    'ALTER TABLE "player_ban" ADD COLUMN "lift_mailed_at" datetime(3) CHECK ("lift_mailed_at" IS NULL OR julianday("lift_mailed_at") IS NOT NULL)',
    'CREATE INDEX "player_ban_lift_mailed" ON "player_ban" ("lift_mailed_at", "lifted_at")',
    MARK_OLD,
  ],
});
