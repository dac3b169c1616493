import { createTables, migration } from './dialect.js';
import { toSqlite } from './sqlite-table.js';

const STATUSES = "'new','normal','busy','full','maintenance','closed'";
const WITH_SCHEDULED = `${STATUSES},'scheduled'`;
const RULE = `status IN (${WITH_SCHEDULED}) AND (status <> 'scheduled' OR open_at IS NOT NULL)`;
const STATUS_COMMENT =
  'full: nobody new registers into it; maintenance: listed, but nobody enters; closed: not listed at all; scheduled: closed until open_at, then new';
const TIME_COMMENT =
  'UTC; listed before this time, but cannot be entered yet, or hidden if scheduled; NULL: open';

// SQLite cannot change a constraint, so the table is rebuilt. The new table has another name until the old one is
// dropped, because `foreignTables` would mistake an existing table that a pending migration creates for another
// program's table.
const [before] = createTables('1794800000000-create-servers.sql');
const [table, ...indexes] = toSqlite(
  before!
    .replaceAll(`(${STATUSES})`, `(${WITH_SCHEDULED})`)
    .replace(`CHECK (status IN (${WITH_SCHEDULED}))`, `CHECK (${RULE})`),
);

/** Adds a status for servers that open by themselves. */
export const ScheduleServers = migration('ScheduleServers1794900030000', {
  mysql: [
    {
      // MySQL before 8.0.19 knows only DROP CHECK, and MariaDB only DROP CONSTRAINT.
      sql: 'ALTER TABLE server /*M! DROP CONSTRAINT */ /*!80016 DROP CHECK */ server_status, ALGORITHM=COPY',
      done: `SELECT 1 FROM (SELECT COUNT(*) AS found FROM information_schema.table_constraints
        WHERE table_schema = DATABASE() AND table_name = 'server' AND constraint_name = 'server_status') AS old
        WHERE found = 0`,
      survives: 'the next statement restores the rule',
    },
    {
      sql: `ALTER TABLE server
      MODIFY status ENUM(${WITH_SCHEDULED}) NOT NULL DEFAULT 'normal' COMMENT '${STATUS_COMMENT}',
      MODIFY open_at DATETIME NULL COMMENT '${TIME_COMMENT}',
      ADD CONSTRAINT server_status CHECK (${RULE}), ALGORITHM=COPY`,
      survives: 'the rule only allows more',
    },
  ],
  embedded: [
    table!.replace('CREATE TABLE "server"', 'CREATE TABLE "server_after"'),
    'INSERT INTO "server_after" SELECT * FROM "server"',
    'DROP TABLE "server"',
    'ALTER TABLE "server_after" RENAME TO "server"',
    ...indexes,
  ],
});
