import { formatMinute } from '../../format-minute.js';
import { listTable, terminalTable } from '../terminal-table.js';
import { auditReport, loginsReport } from '../events/event-report.js';
import { bansReport } from './ban-report.js';
import { withdrawalListReport } from '../withdrawal/withdrawal-report.js';
import type {
  VisitedServer,
  PlayerOverviewData,
  SessionSummary,
  ShownFactors,
} from '../../actions/players/player-overview.js';
import type { MailEvent } from '../../../platform/audit/mail-event.entity.js';
import type { LoginEvent } from '../../../platform/audit/login-event.entity.js';
import type { Player } from '../../../platform/auth/player.entity.js';
import type { RepeatedClosings } from '../../actions/players/player-closings.js';
import type { ListedBan } from '../../actions/players/player-bans.js';
import type { PlayerLock } from '../../actions/players/player-locks.js';

const MAX_COUNTS_SHOWN = 5;
const LOST_FACTOR =
  'If it is lost and no recovery code is left: gatehouse player reset-second-factor';
const COUNTS_NOT_SHARED =
  'Counts of failed logins are not in Redis: they are in the memory of each instance, and cannot be seen from here.';

export function overviewReport(overview: PlayerOverviewData): string {
  const { player, sessions, servers, links, locks, locksAreShared, logins, lastLogin } = overview;
  const { withdrawals, acts, bans } = overview;
  const facts = terminalTable(
    ['player', String(player.id)],
    [
      ['account', player.account],
      ['in the game', player.gameAccount ?? player.account],
      ['mailbox', describeMailbox(overview)],
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
      ['pause of withdrawals began (UTC)', player.withdrawPausedAt],
      ['registered (UTC)', player.createdAt],
      ['address seen last', player.ip],
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
    section('What keeps it from signing in', signInReport(overview)),
    section('Bans', bansReport(bans)),
    section('Locks', locksAreShared ? locksReport(locks) : unsharedLocksReport(logins)),
    section('Signed in', sessionsReport(sessions)),
    section('Servers', serversReport(servers)),
    section('Last sign-ins', loginsReport(logins)),
    section('Withdrawals', withdrawalListReport(withdrawals)),
    section('What operators did', auditReport(acts)),
  ].join('\n\n');
}

function describeMailbox({ player, replacedMailbox }: PlayerOverviewData): string | null {
  return replacedMailbox === null
    ? player.email
    : `${player.email ?? 'none'}; changed within 72 hours, from ${replacedMailbox}`;
}

/** Such as "app, passkey phone; 9 recovery codes left". */
function describeFactors({ totp, passkeys, recoveryCodesLeft }: ShownFactors): string | null {
  const factors = [...(totp ? ['app'] : []), ...passkeys.map(({ name }) => `passkey ${name}`)];
  return factors.length === 0
    ? null
    : `${factors.join(', ')}; ${recoveryCodesLeft} recovery codes left`;
}

function signInReport(overview: PlayerOverviewData): string {
  const { player, bans, locks, locksAreShared } = overview;
  const { obstacles, oldNames, namesakes } = overview.signIn;
  const factor = describeFactors(overview.factors);
  const reasons = bans
    .filter(({ inForce, scope }) => inForce && scope === 'all')
    .map((ban) => `it is ${describeBan(ban)}: gatehouse player unban`)
    .concat(obstacles);
  const locked = locksAreShared ? locks.some((lock) => lock.locked) : undefined;
  return [
    ...(reasons.length > 0 ? reasons : [describeNoReason(locked)]),
    ...(factor
      ? [`After the password it asks for the second factor (${factor}). ${LOST_FACTOR}`]
      : []),
    ...(player.closingAt && !player.closedAt
      ? [`It closes on ${formatMinute(player.closingAt)} UTC; until then it signs in as usual.`]
      : []),
    ...(oldNames.length === 0
      ? []
      : [`Renamed when it was imported; it still signs in as ${oldNames.join(', ')}.`]),
    ...namesakes.map(
      (one) =>
        `The import renamed another player to ${one.account}, who still signs in with the old name, spelled exactly: ${one.name}`,
    ),
  ].join('\n');
}

function describeNoReason(locked: boolean | undefined): string {
  if (locked === undefined) return 'No obstacle is recorded. For locks, see below.';
  return locked
    ? 'It is locked; see below.'
    : 'Nothing: it can sign in with its name and password.';
}

/** The counts are in the memory of other processes; a refusal is at least in the table. */
function unsharedLocksReport([last]: LoginEvent[]): string {
  if (last?.outcome !== 'login_throttled') return COUNTS_NOT_SHARED;
  const when = `${formatMinute(last.createdAt)} UTC from ${last.address}`;
  return `${COUNTS_NOT_SHARED}\nThe last try was login_throttled at ${when}: it was locked then.`;
}

export function mailsReport(mails: MailEvent[]): string {
  const table = listTable(mails, {
    'time (UTC)': (mail) => mail.createdAt,
    mail: (mail) => mail.kind,
    outcome: (mail) => mail.outcome,
    reply: (mail) => mail.reply,
    mailbox: (mail) => mail.mailbox,
  });
  const isUncertain = mails.some(({ outcome }) => outcome === 'uncertain');
  return isUncertain ? `${table}\n\nuncertain: the mail server may still deliver it.` : table;
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

function stateOf({ closedAt, disabledAt }: Player): string | undefined {
  if (closedAt) return `closed for good since ${formatMinute(closedAt)}`;
  return disabledAt ? `disabled since ${formatMinute(disabledAt)}` : undefined;
}

export function closingsReport(players: Player[]): string {
  return listTable(players, {
    player: ({ id }) => id,
    account: ({ account }) => account,
    'closes (UTC)': ({ closingAt }) => closingAt,
    'registered (UTC)': ({ createdAt }) => createdAt,
  });
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
  return listTable(sessions, {
    'signed in (UTC)': (session) => session.createdAt,
    'last seen (UTC)': (session) => session.seenAt,
    address: (session) => session.address,
    device: (session) => session.device,
    system: (session) => session.os,
    browser: (session) => session.browse,
    stays: (session) => (session.remembered ? 'yes' : 'no'),
    id: (session) => session.id,
  });
}

function serversReport(servers: VisitedServer[]): string {
  return listTable(
    servers,
    {
      server: ({ server }) => server,
      name: ({ name }) => name,
      'last entered (UTC)': ({ enteredAt }) => enteredAt,
      times: ({ times }) => times,
    },
    'Never entered one.',
  );
}

function section(title: string, body: string): string {
  return `${title}\n${body}`;
}
