import { terminalTable } from '../terminal-table.js';
import { auditReport, loginsReport } from '../events/event-report.js';
import { withdrawalListReport } from '../withdrawal/withdrawal-report.js';
import type {
  VisitedServer,
  PlayerOverviewData,
  SessionSummary,
} from '../../actions/players/player-overview.js';
import type { PlayerLock } from '../../actions/players/player-locks.js';

const MAX_COUNTS_SHOWN = 5;
const COUNTS_NOT_SHARED =
  'Counts of failed logins are not in Redis: they are in the memory of each instance, and cannot be seen from here.';

export function overviewReport(overview: PlayerOverviewData): string {
  const { player, sessions, servers, links, locks, locksAreShared, logins, lastLogin } = overview;
  const { withdrawals, acts } = overview;
  const facts = terminalTable(
    ['player', String(player.id)],
    [
      ['account', player.account],
      ['in the game', player.gameAccount ?? player.account],
      ['mailbox', player.email],
      [
        'state',
        player.disabledAt ? `disabled since ${formatMinute(player.disabledAt)}` : 'enabled',
      ],
      ['registered (UTC)', player.createdAt],
      ['registered from', player.ip],
      ['promoter', player.agentId === null ? null : String(player.agentId)],
      ['server chosen last', player.serverId === null ? null : String(player.serverId)],
      ['entered (UTC)', player.enteredAt],
      ['entered, times', String(player.enterCount)],
      [
        'signed in last (UTC)',
        lastLogin && `${formatMinute(lastLogin.createdAt)} from ${lastLogin.address}`,
      ],
      [
        'linked to',
        links
          .map((link) => `${link.provider} ${link.connectId} since ${formatMinute(link.createdAt)}`)
          .join(', ') || null,
      ],
    ],
  );
  return [
    facts,
    section('Locks', locksAreShared ? locksReport(locks) : COUNTS_NOT_SHARED),
    section('Signed in', sessionsReport(sessions)),
    section('Servers', serversReport(servers)),
    section('Last sign-ins', loginsReport(logins)),
    section(
      'Withdrawals',
      withdrawals.length === 0 ? 'There are none.' : withdrawalListReport(withdrawals),
    ),
    section('What operators did', auditReport(acts)),
  ].join('\n\n');
}

/** The locks, then the fullest counts: in a flood every address has one. */
export function locksReport(locks: PlayerLock[]): string {
  const held = locks.filter(({ locked }) => locked);
  const counts = locks
    .filter(({ locked }) => !locked)
    .toSorted((one, other) => other.failures / other.most - one.failures / one.most);
  const more = counts.length - MAX_COUNTS_SHOWN;
  return [
    ...(held.length === 0 ? ['No lock.'] : held.map(describeLock)),
    ...counts.slice(0, MAX_COUNTS_SHOWN).map(describeLock),
    ...(more > 0 ? [`… and ${more} more counts that lock nothing`] : []),
  ].join('\n');
}

/** Such as "locked for 203.0.113.7 until 02:14; 5 of 5". */
export function describeLock({ scope, key, failures, most, locked, until, address }: PlayerLock) {
  const whom = {
    account_and_address: `for ${address}`,
    address: `for every account at ${key}`,
    account: 'for every address that did not sign it in within 30 days',
  }[scope];
  const count = `${failures} of ${most}`;
  return locked
    ? `locked ${whom} until ${formatMinute(until)} UTC; ${count}`
    : `not locked ${whom}: ${count} failed, counted until ${formatMinute(until)} UTC`;
}

export function sessionsReport(sessions: SessionSummary[]): string {
  if (sessions.length === 0) return 'There are none.';
  return terminalTable(
    ['signed in (UTC)', 'last seen (UTC)', 'address', 'device', 'system', 'browser', 'stays', 'id'],
    sessions.map((session) => [
      session.createdAt,
      session.seenAt,
      session.address,
      session.device,
      session.os,
      session.browse,
      session.remembered ? 'yes' : 'no',
      session.id,
    ]),
  );
}

function serversReport(servers: VisitedServer[]): string {
  if (servers.length === 0) return 'Never entered one.';
  return terminalTable(
    ['server', 'name', 'last entered (UTC)', 'times'],
    servers.map(({ server, name, enteredAt, times }) => [server, name, enteredAt, times]),
  );
}

function section(title: string, body: string): string {
  return `${title}\n${body}`;
}

function formatMinute(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}
