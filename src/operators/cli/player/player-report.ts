import { terminalTable } from '../terminal-table.js';
import { auditReport, loginsReport } from '../events/event-report.js';
import { withdrawalListReport } from '../withdrawal/withdrawal-report.js';
import type {
  VisitedServer,
  PlayerOverviewData,
  SessionSummary,
  ShownFactors,
} from '../../actions/players/player-overview.js';
import type { MailEvent } from '../../../platform/audit/mail-event.entity.js';
import type { SignInFacts } from '../../actions/players/sign-in-obstacles.js';
import type { Player } from '../../../platform/auth/player.entity.js';
import type { PlayerBan } from '../../../platform/auth/player-ban.entity.js';
import type { RepeatedClosings } from '../../actions/players/player-closings.js';
import type { ListedBan } from '../../actions/players/player-bans.js';
import type { PlayerLock } from '../../actions/players/player-locks.js';

const MAX_COUNTS_SHOWN = 5;
const COUNTS_NOT_SHARED =
  'Counts of failed logins are not in Redis: they are in the memory of each instance, and cannot be seen from here.';

export function overviewReport(overview: PlayerOverviewData): string {
  const { player, sessions, servers, links, locks, locksAreShared, logins, lastLogin } = overview;
  const { withdrawals, acts, bans, signIn } = overview;
  const facts = terminalTable(
    ['player', String(player.id)],
    [
      ['account', player.account],
      ['in the game', player.gameAccount ?? player.account],
      ['mailbox', player.email],
      [
        'state',
        stateOf(player) ??
          (bans
            .filter(({ inForce }) => inForce)
            .map(describeBan)
            .join('; ') ||
            'enabled'),
      ],
      ['closes (UTC)', player.closedAt ? null : player.closingAt],
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
      ['second factor', describeFactors(overview.factors)],
    ],
  );
  return [
    facts,
    section('What keeps it from signing in', signInReport(signIn, bans)),
    section('Bans', bansReport(bans)),
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

/** Such as "app, passkey phone; 9 recovery codes left". */
function describeFactors({ totp, passkeys, recoveryCodesLeft }: ShownFactors): string | null {
  const factors = [...(totp ? ['app'] : []), ...passkeys.map(({ name }) => `passkey ${name}`)];
  return factors.length === 0
    ? null
    : `${factors.join(', ')}; ${recoveryCodesLeft} recovery codes left`;
}

function signInReport({ obstacles, oldNames }: SignInFacts, bans: ListedBan[]): string {
  const reasons = bans
    .filter(({ inForce, scope }) => inForce && scope === 'all')
    .map((ban) => `it is ${describeBan(ban)}: gatehouse player unban`)
    .concat(obstacles);
  return [
    ...(reasons.length === 0 ? ['Nothing but the locks below.'] : reasons),
    ...(oldNames.length === 0
      ? []
      : [`Renamed when it was imported; it still signs in as ${oldNames.join(', ')}.`]),
  ].join('\n');
}

export function mailsReport(mails: MailEvent[]): string {
  if (mails.length === 0) return 'There are none.';
  return terminalTable(
    ['time (UTC)', 'mail', 'outcome', 'reply', 'mailbox'],
    mails.map((mail) => [mail.createdAt, mail.kind, mail.outcome, mail.reply, mail.mailbox]),
  );
}

/** First the locks, then the highest counts: in a flood every address has one. */
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
    second_factor: 'for the second step of a sign-in, everywhere',
  }[scope];
  const count = `${failures} of ${most}`;
  return locked
    ? `locked ${whom} until ${formatMinute(until)} UTC; ${count}`
    : `not locked ${whom}: ${count} failed, counted until ${formatMinute(until)} UTC`;
}

export function bansReport(bans: ListedBan[]): string {
  if (bans.length === 0) return 'There are none.';
  return terminalTable(
    ['banned (UTC)', 'until (UTC)', 'scope', 'state', 'reason', 'by', 'note', 'id'],
    bans.map((ban) => [
      ban.createdAt,
      ban.until ?? 'for good',
      ban.scope,
      ban.inForce ? 'in force' : ban.liftedAt ? `lifted ${formatMinute(ban.liftedAt)}` : 'over',
      ban.reason,
      ban.createdBy,
      ban.note,
      ban.id,
    ]),
  );
}

export function bansInForceReport(bans: PlayerBan[]): string {
  if (bans.length === 0) return 'Nobody is banned.';
  return terminalTable(
    ['player', 'account', 'banned (UTC)', 'until (UTC)', 'scope', 'reason', 'by', 'id'],
    bans.map((ban) => [
      ban.playerId,
      ban.player.account,
      ban.createdAt,
      ban.until ?? 'for good',
      ban.scope,
      ban.reason,
      ban.createdBy,
      ban.id,
    ]),
  );
}

function stateOf({ closedAt, disabledAt }: Player): string | undefined {
  if (closedAt) return `closed for good since ${formatMinute(closedAt)}`;
  return disabledAt ? `disabled since ${formatMinute(disabledAt)}` : undefined;
}

export function closingsReport(players: Player[]): string {
  if (players.length === 0) return 'There are none.';
  return terminalTable(
    ['player', 'account', 'closes (UTC)', 'registered (UTC)'],
    players.map(({ id, account, closingAt, createdAt }) => [id, account, closingAt, createdAt]),
  );
}

export function repeatReport({ closing, kept, known, refused }: RepeatedClosings): string {
  return [
    `closing again: ${closing}; kept again: ${kept}; nothing to do: ${known}`,
    ...refused.map((one) => `not repeated: ${one}`),
  ].join('\n');
}

function describeBan({ scope, until }: ListedBan): string {
  const what = scope === 'all' ? 'banned' : 'banned from withdrawals';
  return `${what} ${until ? `until ${formatMinute(until)}` : 'for good'}`;
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

export function formatMinute(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}
