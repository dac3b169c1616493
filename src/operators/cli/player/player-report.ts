import { formatMinute } from '../../../platform/config/time.js';
import { listTable, terminalTable } from '../terminal.js';
import { auditReport, loginsReport } from '../events/event-report.js';
import { withdrawalListReport } from '../withdrawal/withdrawal-report.js';
import type { PlayerOverviewData, SessionSummary } from '../../actions/players/player-overview.js';
import type { FactorSummary } from '../../../features/second-factor/second-factors.js';
import type { MailEvent, LoginEvent } from '../../../platform/audit/audit.entity.js';
import type { Player } from '../../../platform/auth/player.entity.js';
import type { RepeatedClosings } from '../../actions/players/player-closings.js';
import type { ListedBan } from '../../actions/players/player-bans.js';
import type { StandingFact, StandingFactName } from '../../actions/players/player-standing.js';
import type { TimelineEvent } from '../../actions/players/player-timeline.js';
import type { TimelineKind } from '../../actions/players/timeline-cursor.js';
import type { SignInLock } from '../../actions/players/sign-in-locks.js';
import type { PlayerBan } from '../../../platform/auth/player-ban.entity.js';

const MAX_COUNTS_SHOWN = 5;
const LOST_FACTOR =
  'If it is lost and no recovery code is left: gatehouse player reset-second-factor';
const COUNTS_NOT_SHARED =
  'Counts of failed logins are not in Redis: they are in the memory of each instance, and cannot be seen from here.';

/** Describes a player in one sentence, such as "wanderer can sign in, but cannot withdraw: withdrawals pause until …". */
function standingReport({ player, standing }: PlayerOverviewData): string {
  const { canSignIn, canWithdraw, because, also } = standing;
  const verdict = canSignIn
    ? `can sign in${canWithdraw ? ' and withdraw' : ', but cannot withdraw'}`
    : canWithdraw
      ? 'cannot sign in, but can still withdraw in its open sessions'
      : 'can neither sign in nor withdraw';
  const why = because.length > 0 ? `: ${because.map(describeFact).join('; ')}` : '';
  return `${player.account} ${verdict}${why}${also.map((one) => `; ${describeFact(one)}`).join('')}.`;
}

function describeFact({ name, at, detail }: StandingFact): string {
  const time = at ? `${formatMinute(at)} UTC` : '';
  const until = at ? `until ${time}` : 'for good';
  const texts: Record<StandingFactName, string> = {
    closed: `it was closed for good at ${time}`,
    disabled: `it has been disabled since ${time}`,
    banned: `it is banned ${until} (${detail})`,
    no_password: 'it has no usable password, and the owner has to reset it through the mailbox',
    no_way_in: 'it has no usable password, no mailbox, no linked identity and no passkey',
    locked: `failed logins locked it for everybody ${until}`,
    second_step_locked: `wrong codes locked the second step ${until}`,
    locked_at: `failed logins locked it at ${detail}, from which it signs in, ${until}`,
    banned_from_withdrawals: `it is banned from withdrawals ${until} (${detail})`,
    paused: `withdrawals pause ${until}, because its password, mailbox or second factor changed`,
    withdrawals_off: 'withdrawals are switched off in the settings',
    closing: `it closes on ${time}`,
    second_factor: 'signing in takes its second factor',
    mailbox_changed: `its mailbox changed within 72 hours, from ${detail}`,
    only_known_addresses: `after many guesses it can sign in only from addresses that it used within 30 days (${detail}), ${until}`,
    others_locked: `addresses locked after failed logins that did not sign it in within 30 days: ${detail}`,
    locks_unseen: 'locks after failed logins cannot be seen from here',
  };
  return texts[name];
}

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
    standingReport(overview),
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

/** Describes second factors such as "app, passkey phone; 9 recovery codes left". */
function describeFactors({ totp, passkeys, recoveryCodesLeft }: FactorSummary): string | null {
  const factors = [...(totp ? ['app'] : []), ...passkeys.map(({ name }) => `passkey ${name}`)];
  return factors.length === 0
    ? null
    : `${factors.join(', ')}; ${recoveryCodesLeft} recovery codes left`;
}

function signInReport(overview: PlayerOverviewData): string {
  const { player, bans, standing, locksAreShared } = overview;
  const { obstacles, oldNames, namesakes } = overview.signIn;
  const factor = describeFactors(overview.factors);
  const reasons = bans
    .filter(({ inForce, scope }) => inForce && scope === 'all')
    .map((ban) => `it is ${describeBan(ban)}: gatehouse player unban`)
    .concat(obstacles);
  const locked = locksAreShared ? !standing.canSignIn : undefined;
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

/** Shows the last rejected login, because the counts are in other processes' memory. */
function unsharedLocksReport([last]: LoginEvent[]): string {
  if (last?.outcome !== 'login_throttled') return COUNTS_NOT_SHARED;
  const when = `${formatMinute(last.createdAt)} UTC from ${last.address}`;
  return `${COUNTS_NOT_SHARED}\nThe last try was login_throttled at ${when}: it was locked then.`;
}

export function timelineReport(events: TimelineEvent[]): string {
  return listTable(events, {
    'time (UTC)': ({ at }) => at,
    kind: ({ kind }) => kind,
    what: describeEvent,
    address: ({ facts }) => (facts.address ?? null) as string | null,
    request: ({ facts }) => (facts.request_id ?? null) as string | null,
  });
}

function describeEvent({ kind, id, facts }: TimelineEvent): string {
  const parts: Record<TimelineKind, unknown[]> = {
    login: [facts.way, facts.outcome, Number(facts.tries) > 1 && `${facts.tries as number} times`],
    session: [
      facts.browse,
      facts.os,
      'began',
      facts.ended_at && `(ended ${facts.ended_at as string})`,
    ],
    entry: ['server', facts.server_id, facts.server],
    withdrawal: [`#${id}`, facts.amount, 'by', facts.role_name, facts.outcome, facts.reason],
    link: [facts.provider, facts.connect_id],
    mail: [facts.what, facts.outcome, facts.mailbox],
    change: [facts.what, facts.detail],
    refusal: [facts.request, facts.outcome],
    act: [facts.operator_name, facts.act, facts.note],
  };
  return parts[kind].filter(Boolean).join(' ');
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

/** Shows the locks that keep the owner out, and a few others, because during an attack every address has a count. */
export function locksReport(locks: SignInLock[]): string {
  const held = locks.filter(({ locked }) => locked);
  const strange = held.filter(({ whom }) => whom === 'other_address' || whom === 'all_accounts');
  const real = held.filter((lock) => !strange.includes(lock));
  const moreStrange = strange.length - MAX_COUNTS_SHOWN;
  const counts = locks
    .filter(({ locked }) => !locked)
    .toSorted((one, other) => other.failures / other.most - one.failures / one.most);
  const more = counts.length - MAX_COUNTS_SHOWN;
  return [
    ...(held.length === 0 ? ['No lock.'] : real.map(describeLock)),
    ...strange.slice(0, MAX_COUNTS_SHOWN).map(describeLock),
    ...(moreStrange > 0
      ? [`… and ${moreStrange} more locks of addresses that did not sign it in within 30 days`]
      : []),
    ...counts.slice(0, MAX_COUNTS_SHOWN).map(describeLock),
    ...(more > 0 ? [`… and ${more} more counts that lock nothing`] : []),
  ].join('\n');
}

/** Describes a lock such as "locked for 203.0.113.7 until 02:14; 5 of 5". */
export function describeLock({ key, failures, most, locked, until, address, ...lock }: SignInLock) {
  const whom = {
    everybody: 'for everybody',
    second_step: 'for the second step of a sign-in, everywhere',
    known_address: `for ${address}, which signed it in within 30 days`,
    new_addresses: 'for every address that did not sign it in within 30 days',
    confirmation: 'for confirmations by a second factor, everywhere',
    other_address: `for ${address}`,
    all_accounts: `for every account that ${key} did not sign in within 30 days`,
  }[lock.whom];
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

function serversReport(servers: PlayerOverviewData['servers']): string {
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

export function bansReport(bans: ListedBan[]): string {
  return listTable(bans, {
    'banned (UTC)': (ban) => ban.createdAt,
    'until (UTC)': (ban) => ban.until ?? 'for good',
    scope: (ban) => ban.scope,
    state: ({ inForce, liftedAt, lift }) =>
      inForce
        ? 'in force'
        : liftedAt
          ? `lifted ${formatMinute(liftedAt)}${lift ? ` by ${lift.by}: ${lift.note}` : ''}`
          : 'over',
    reason: (ban) => ban.reason,
    'banned by': (ban) => ban.createdBy,
    note: (ban) => ban.note,
    id: (ban) => ban.id,
  });
}

export function bansInForceReport(bans: PlayerBan[]): string {
  return listTable(
    bans,
    {
      player: (ban) => ban.playerId,
      account: (ban) => ban.player.account,
      'banned (UTC)': (ban) => ban.createdAt,
      'until (UTC)': (ban) => ban.until ?? 'for good',
      scope: (ban) => ban.scope,
      reason: (ban) => ban.reason,
      by: (ban) => ban.createdBy,
      id: (ban) => ban.id,
    },
    'Nobody is banned.',
  );
}
