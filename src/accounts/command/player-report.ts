import { terminalTable } from '../../command/terminal-table.js';
import { actsReport, loginsReport } from '../../journal/command/event-report.js';
import { listReport } from '../../withdraw/command/withdrawal-report.js';
import type { EnteredZone, Overview, ShownSession } from '../desk/player-overview.js';
import type { PlayerLock } from '../desk/player-locks.js';

const FEW_COUNTS = 5;
const NO_REDIS =
  'Counts of failed logins are not in Redis: they are in the memory of each instance, and cannot be seen from here.';

export function overviewReport(overview: Overview): string {
  const { player, sessions, zones, links, locks, locksAreShared, logins, lastLogin } = overview;
  const { withdrawals, acts } = overview;
  const facts = terminalTable(
    ['player', String(player.id)],
    [
      ['account', player.account],
      ['in the game', player.gameAccount ?? player.account],
      ['mailbox', player.email],
      ['state', player.disabledAt ? `disabled since ${minute(player.disabledAt)}` : 'enabled'],
      ['registered (UTC)', player.createdAt],
      ['registered from', player.ip],
      ['promoter', player.agentId === null ? null : String(player.agentId)],
      ['zone chosen last', player.serverId === null ? null : String(player.serverId)],
      ['entered (UTC)', player.enteredAt],
      ['entered, times', String(player.enterCount)],
      [
        'signed in last (UTC)',
        lastLogin && `${minute(lastLogin.createdAt)} from ${lastLogin.address}`,
      ],
      [
        'linked to',
        links
          .map((link) => `${link.provider} ${link.connectId} since ${minute(link.createdAt)}`)
          .join(', ') || null,
      ],
    ],
  );
  return [
    facts,
    section('Locks', locksAreShared ? locksReport(locks) : NO_REDIS),
    section('Signed in', sessionsReport(sessions)),
    section('Zones', zonesReport(zones)),
    section('Last sign-ins', loginsReport(logins)),
    section('Withdrawals', withdrawals.length === 0 ? 'There are none.' : listReport(withdrawals)),
    section('What operators did', actsReport(acts)),
  ].join('\n\n');
}

/** The locks, then the fullest counts: in a flood every address has one. */
export function locksReport(locks: PlayerLock[]): string {
  const held = locks.filter(({ locked }) => locked);
  const counts = locks
    .filter(({ locked }) => !locked)
    .toSorted((one, other) => other.failures / other.most - one.failures / one.most);
  const more = counts.length - FEW_COUNTS;
  return [
    ...(held.length === 0 ? ['No lock.'] : held.map(lockInWords)),
    ...counts.slice(0, FEW_COUNTS).map(lockInWords),
    ...(more > 0 ? [`… and ${more} more counts that lock nothing`] : []),
  ].join('\n');
}

/** Such as "locked for 203.0.113.7 until 02:14; 5 of 5". */
export function lockInWords({ scope, key, failures, most, locked, until, address }: PlayerLock) {
  const whom = {
    account_and_address: `for ${address}`,
    address: `for every account at ${key}`,
    account: 'for every address that did not sign it in within 30 days',
  }[scope];
  const count = `${failures} of ${most}`;
  return locked
    ? `locked ${whom} until ${minute(until)} UTC; ${count}`
    : `not locked ${whom}: ${count} failed, counted until ${minute(until)} UTC`;
}

export function sessionsReport(sessions: ShownSession[]): string {
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

function zonesReport(zones: EnteredZone[]): string {
  if (zones.length === 0) return 'Never entered one.';
  return terminalTable(
    ['zone', 'name', 'last entered (UTC)', 'times'],
    zones.map(({ zone, name, enteredAt, times }) => [zone, name, enteredAt, times]),
  );
}

function section(title: string, body: string): string {
  return `${title}\n${body}`;
}

function minute(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}
