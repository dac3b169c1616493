import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DAY_MS, formatMinute } from '../../../platform/config/time.js';
import { DeniedAddress } from '../../../platform/http/limits/denied-addresses.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { AuditEvent } from '../../../platform/audit/audit.entity.js';
import type { OutboxEvent } from '../../../platform/events/event.entity.js';
import { AddressBlocks } from '../../actions/events/address-blocks.js';
import { DeadEvents } from '../../actions/events/dead-events.js';
import {
  EventSearch,
  RequestSearch,
  type RequestTrace,
} from '../../actions/events/event-search.js';
import { PromoterDays } from '../../actions/players/promoter-days.js';
import { CommandFailed, type Report } from '../command.js';
import { toCsv } from '../../csv.js';
import { type ActionOptions, type ListOptions, parseSince } from '../command-options.js';
import { confirm, listTable } from '../terminal.js';
import { withdrawalListReport } from '../withdrawal/withdrawal-report.js';
import { auditReport, loginsReport } from './event-report.js';

type Guesses = Awaited<ReturnType<EventSearch['guesses']>>;
type AddressGuesses = Omit<Guesses, 'groups'> & {
  groups: Array<Guesses['groups'][number] & ReturnType<AddressBlocks['stateOf']>>;
};
type SignInsAfterGuesses = Awaited<ReturnType<EventSearch['signInsAfterGuesses']>>;
type Mails = Awaited<ReturnType<EventSearch['mails']>>;
type PromoterFigures = Awaited<ReturnType<PromoterDays['days']>>;
type Registrations = Awaited<ReturnType<EventSearch['registrations']>>;

interface LoginFilter {
  since?: Date;
  address?: string;
  outcome?: string;
}

interface AuditFilter {
  since?: Date;
  subject?: string;
  who?: string;
  act?: string;
}

const MAX_SIGN_INS = 20;
const MAX_PROMOTER_DAYS = 366;
const SUBJECT_HINT = ' A subject looks like "player 42"; gatehouse player show prints the id.';

@Injectable()
export class EventsCommand {
  constructor(
    private readonly search: EventSearch,
    private readonly requests: RequestSearch,
    private readonly promoterDays: PromoterDays,
    private readonly deadEvents: DeadEvents,
    private readonly blocks: AddressBlocks,
  ) {}

  async logins({ limit, before, since, ...filter }: ListOptions & LoginFilter): Promise<Report> {
    const { address, outcome } = filter;
    const data = await this.search.logins({
      limit,
      before: before?.toString(),
      since: since ?? (address === undefined ? parseSince('1h') : undefined),
      address,
      outcome,
    });
    return { text: loginsReport(data), data };
  }

  async request(id: string): Promise<Report> {
    const data = await this.requests.find(id);
    return { text: requestReport(data), data };
  }

  async guesses({ since = parseSince('1h') }): Promise<Report> {
    const accounts = await this.search.guesses('player_id', since);
    const addresses = await this.search.guesses('address', since);
    const found = await this.search.signInsAfterGuesses(since, MAX_SIGN_INS);
    const inForce = await this.blocks.findInForce();
    const data = {
      accounts: accounts.groups,
      accounts_total: accounts.total,
      addresses: addresses.groups.map((group) => {
        return { ...group, ...this.blocks.stateOf(group.address, inForce) };
      }),
      addresses_total: addresses.total,
      sign_ins: found.signIns,
      sign_ins_total: found.total,
    };
    return { text: guessesReport(accounts, { ...addresses, groups: data.addresses }, found), data };
  }

  async block(address: string, { hours, by, note, yes }: ActionOptions & { hours: number }) {
    await confirm(
      `This blocks ${this.blocks.blockable(address)} on every instance for ${hours} hours.`,
      { yes },
    );
    const { until, ...row } = await this.blocks.block({ by, note }, address, hours);
    const text = `${row.address} is blocked until ${formatMinute(until)} UTC.`;
    return { text, data: { address: row.address, until } };
  }

  async unblock(address: string, { by, note, yes }: ActionOptions): Promise<Report> {
    await confirm(`This ends the block of ${address}.`, { yes });
    await this.blocks.unblock({ by, note }, address);
    return { text: `${address} is no longer blocked.`, data: { address } };
  }

  async mails({ since = parseSince('1h') }): Promise<Report> {
    const data = await this.search.mails(since);
    return { text: mailsReport(data), data };
  }

  async registrations({ since = parseSince('1d') }): Promise<Report> {
    const data = await this.search.registrations(since);
    return { text: registrationsReport(data), data };
  }

  async promoters({ since = parseSince('30d'), csv = false }): Promise<Report> {
    if (since.getTime() < Date.now() - MAX_PROMOTER_DAYS * DAY_MS)
      throw new CommandFailed(`ask for at most ${MAX_PROMOTER_DAYS} days`);
    const data = await this.promoterDays.days(since);
    return { text: csv ? promotersCsv(data) : promotersReport(data), data };
  }

  async dead(options: ListOptions & { endpoint?: string }): Promise<Report> {
    const rows = await this.deadEvents.list(options);
    const data = rows.map(({ id, createdAt, endpoint, playerId, type, tries, failure }) => {
      return { id: Number(id), createdAt, endpoint, playerId, type, tries, failure };
    });
    return { text: deadReport(data), data };
  }

  async resend({
    by,
    note,
    yes,
    endpoint,
  }: ActionOptions & { endpoint?: string }): Promise<Report> {
    const which = endpoint === undefined ? 'all endpoints' : endpoint;
    await confirm(`This sends the dead events for ${which} again, and the waiting ones now.`, {
      yes,
    });
    const data = await this.deadEvents.resend({ by, note }, endpoint);
    const { events, players } = data;
    const text = `${events} dead events are sent again. Pauses ended for ${players} players.`;
    return { text, data };
  }

  async audit({ limit, before, since, ...filter }: ListOptions & AuditFilter): Promise<Report> {
    const { subject, who, act } = filter;
    const data = await this.search.audit({
      limit,
      before: before?.toString(),
      since,
      subjects: subject === undefined ? undefined : [subject],
      act,
      by: who,
    });
    const isUnknown = subject !== undefined && data.length === 0;
    const text = `${auditReport(data)}${isUnknown ? SUBJECT_HINT : ''}`;
    return { text, data: data.map(withChangedKeys) };
  }
}

/** Leaves out the unchanged settings, which `settings.change` stores only for the next comparison. */
function withChangedKeys(event: AuditEvent): AuditEvent {
  const { act, before, after } = event;
  if (act !== 'settings.change' || !before || !after) return event;
  const values = after as Record<string, unknown>;
  const changed = Object.keys(before).map((key) => [key, values[key] ?? null] as const);
  return Object.assign(new AuditEvent(), event, { after: Object.fromEntries(changed) });
}

function requestReport(trace: RequestTrace): string {
  const { id, beganAt, logins, withdrawals, changes, refusals } = trace;
  const parts = [
    ...(refusals.length > 0 ? [`Refused\n${refusalsTable(refusals)}`] : []),
    ...refusals.flatMap(explanationOf),
    ...changes.map(
      ({ playerId, what, detail, address }) =>
        `Player ${playerId} changed the account from ${address}: ${what}${detail ? ` (${detail})` : ''}`,
    ),
    ...withdrawals.map(
      (one) =>
        `Withdrawal of player ${one.playerId}: gatehouse withdrawal show ${one.id}\n${withdrawalListReport([one])}`,
    ),
    ...(logins.length > 0 ? [`Sign-in\n${loginsReport(logins)}`] : []),
  ];
  const log = `Its lines in the log: journalctl -u 'gatehouse@*' -o cat | grep -F -e ${id}`;
  if (parts.length > 0) return [...parts, log].join('\n\n');
  const origin = beganAt
    ? `If the id is ours, it began at ${beganAt.toISOString()}.`
    : 'It is not an id of ours, such as 01M7F4G9N25PTY9WAWNAD2MEZB, but a caller may choose its own.';
  return `No table records it: it succeeded, repeated a failure within a minute, came from somebody not signed in, hit the rate limit, is too old, or never happened. ${origin} ${log}`;
}

/** Explains why a game server's request was refused. The text keeps its line feeds, because they are signed, too. */
function explanationOf({ reason, signedText }: RequestTrace['refusals'][number]): string[] {
  if (reason === null) return [];
  const text =
    signedText === null ? '' : `\nThe text to sign, without the secret:\n\n${signedText}`;
  return [`Why: ${reason}${text}`];
}

function refusalsTable(refusals: RequestTrace['refusals']): string {
  return listTable(refusals, {
    'time (UTC)': (one) => one.createdAt,
    request: (one) => `${one.method} ${one.path}`,
    error: (one) => one.error,
    player: (one) => one.playerId,
    address: (one) => one.address,
  });
}

function guessesReport(
  accounts: Guesses,
  addresses: AddressGuesses,
  found: SignInsAfterGuesses,
): string {
  if (accounts.total === 0) return 'Nobody failed to sign in.';
  const byAccount = listTable(accounts.groups, {
    player: ({ player }) => (player === null ? 'names that nobody has' : String(player)),
    typed: ({ account }) => account,
    tries: ({ tries }) => tries,
    addresses: ({ addresses: from }) => from,
    'last (UTC)': ({ last }) => new Date(last),
  });
  const byAddress = listTable(addresses.groups, {
    address: ({ address }) => address ?? 'many, in a flood',
    tries: ({ tries }) => tries,
    accounts: ({ players }) => players,
    'last (UTC)': ({ last }) => new Date(last),
    blocked: ({ blocked_until: until, is_denied: isDenied }) =>
      isDenied ? 'deny_ip' : until && `until ${formatMinute(until)}`,
  });
  const left = ({ total, groups }: { total: number; groups: object[] }, what: string) =>
    total > groups.length ? `\n${total - groups.length} more ${what} with fewer tries.` : '';
  const signIns = listTable(
    found.signIns,
    {
      player: ({ player }) => player,
      typed: ({ account }) => account,
      address: ({ address }) => address,
      'failed tries': ({ tries }) => tries,
      'last (UTC)': ({ last }) => new Date(last),
    },
    'None.',
  );
  const more = found.total - found.signIns.length;
  return [
    `Right password after failed tries from the same address\n${signIns}${more > 0 ? `\n${more} more.` : ''}`,
    `Accounts, most attempts first\n${byAccount}${left(accounts, 'accounts')}`,
    `Addresses, most attempts first\n${byAddress}${left(addresses, 'addresses')}`,
    'To block an address for some time: gatehouse events block <address>, or the page Guessing of the desk.',
  ].join('\n\n');
}

function mailsReport({ domains, total }: Mails): string {
  const seconds = (ms: number | null) => (ms === null ? null : `${(ms / 1000).toFixed(1)} s`);
  const table = listTable(
    domains,
    {
      domain: ({ domain }) => domain,
      sent: ({ sent }) => sent,
      failed: ({ failed }) => failed,
      'held back': ({ held_back: heldBack }) => heldBack,
      median: ({ median_ms: median }) => seconds(median),
      slowest: ({ slowest_ms: slowest }) => seconds(slowest),
      'last reply': ({ last_reply: reply, last_outcome: outcome }) =>
        reply ?? (outcome === 'held_back' ? null : 'no answer'),
      'last (UTC)': ({ last }) => new Date(last),
    },
    'No mail was sent.',
  );
  const left = total - domains.length;
  return left > 0 ? `${table}\n\n${left} domains with fewer mails are left out.` : table;
}

function deadReport(
  events: Array<
    Pick<OutboxEvent, 'createdAt' | 'endpoint' | 'playerId' | 'type' | 'failure'> & { id: number }
  >,
): string {
  return listTable(
    events,
    {
      id: ({ id }) => id,
      'time (UTC)': ({ createdAt }) => createdAt,
      endpoint: ({ endpoint }) => endpoint,
      player: ({ playerId }) => playerId,
      event: ({ type }) => type,
      'last failure': ({ failure }) => failure,
    },
    'No event is dead.',
  );
}

function registrationsReport(hours: Registrations): string {
  return listTable(
    hours,
    {
      'hour (UTC)': ({ hour }) => hour,
      registered: ({ registered }) => registered,
      refused: ({ refused }) => refused,
    },
    'Nobody registered.',
  );
}

function promotersReport({ timezone, since, promoters, unknown }: PromoterFigures): string {
  const table = (days: PromoterFigures['promoters']) =>
    listTable(
      days,
      {
        day: ({ day }) => day,
        promoter: ({ promoter }) => promoter,
        name: ({ name }) => name,
        registered: ({ registrations }) => registrations,
        entered: ({ entered }) => entered,
        withdrew: ({ withdrew }) => withdrew,
        amount: ({ amount }) => amount,
      },
      'No promoter brought a player.',
    );
  const title = `Players by the day of their registration since ${since} (${timezone}), and what they did until now`;
  const apart = `Promoters that the table agent does not have\n${table(unknown)}`;
  return [`${title}\n${table(promoters)}`, ...(unknown.length > 0 ? [apart] : [])].join('\n\n');
}

function promotersCsv({ promoters, unknown }: PromoterFigures): string {
  const head = ['day', 'promoter', 'name', 'registered', 'entered', 'withdrew', 'amount'];
  const rows = [...promoters, ...unknown].map((one) => [
    one.day,
    one.promoter,
    one.name,
    one.registrations,
    one.entered,
    one.withdrew,
    one.amount,
  ]);
  // CSV files have carriage returns, which do not belong in a terminal.
  return toCsv([head, ...rows])
    .replaceAll('\r\n', '\n')
    .trimEnd();
}

@Module({
  imports: [TypeOrmModule.forFeature([DeniedAddress, Withdrawal])],
  providers: [AddressBlocks, DeadEvents, EventsCommand, EventSearch, PromoterDays, RequestSearch],
})
export class EventsCommandModule {}
