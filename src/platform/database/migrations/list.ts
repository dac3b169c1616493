import { RecordFirstMailboxes } from './1794800012000-record-first-mailboxes.js';
import { LocateWithdrawals } from './1794900020000-locate-withdrawals.js';
import { MailLiftedBans } from './1794900020100-mail-lifted-bans.js';
import { ScheduleServers } from './1794900030000-schedule-servers.js';
import { RecordMailTimes } from './1794900040000-record-mail-times.js';
import { IndexRoleNames } from './1794900040002-index-role-names.js';
import { RememberEnrollingSessions } from './1794900070000-remember-enrolling-sessions.js';
import { NameLinks } from './1794900070001-name-links.js';
import { RememberLanguages } from './1794900070002-remember-languages.js';
import { ExtendImport } from './1794900080001-extend-import.js';
import { IndexRegistrations } from './1794900110001-index-registrations.js';
import { TrustDevices } from './1794900110000-trust-devices.js';
import { ExplainRefusals } from './1794900120001-explain-refusals.js';
import { createTables, type Migration, migration } from './dialect.js';

export const MIGRATIONS: Array<new () => Migration> = [
  migration('CreateServers1794800000000', ...createTables('1794800000000-create-servers.sql')),
  migration('CreatePlayers1794800001000', ...createTables('1794800001000-create-players.sql')),
  migration('CreateVerify1794800002000', ...createTables('1794800002000-create-verify.sql')),
  migration('CreateSessions1794800003000', ...createTables('1794800003000-create-sessions.sql')),
  migration('CreateLinks1794800004000', ...createTables('1794800004000-create-links.sql')),
  migration(
    'CreateWithdrawals1794800005000',
    ...createTables('1794800005000-create-withdrawals.sql'),
  ),
  migration('CreateChat1794800006000', ...createTables('1794800006000-create-chat.sql')),
  migration('CreateAudit1794800007000', ...createTables('1794800007000-create-audit.sql')),
  migration('CreateOperators1794800008000', ...createTables('1794800008000-create-operators.sql')),
  migration('CreateImport1794800009000', ...createTables('1794800009000-create-import.sql')),
  migration(
    'CreateSecondFactors1794800010000',
    ...createTables('1794800010000-create-second-factors.sql'),
  ),
  RecordFirstMailboxes,
  LocateWithdrawals,
  migration(
    'CreatePlayerChanges1794900020001',
    ...createTables('1794900020001-create-player-changes.sql'),
  ),
  MailLiftedBans,
  ScheduleServers,
  RecordMailTimes,
  migration(
    'CreateDeniedAddresses1794900040001',
    ...createTables('1794900040001-create-denied-addresses.sql'),
  ),
  IndexRoleNames,
  RememberEnrollingSessions,
  NameLinks,
  RememberLanguages,
  migration(
    'CreateReservedNames1794900080000',
    ...createTables('1794900080000-create-reserved-names.sql'),
  ),
  ExtendImport,
  migration('CreateEvents1794900100000', ...createTables('1794900100000-create-events.sql')),
  TrustDevices,
  IndexRegistrations,
  migration(
    'CreateGameServerCalls1794900120000',
    ...createTables('1794900120000-create-game-server-calls.sql'),
  ),
  ExplainRefusals,
];
