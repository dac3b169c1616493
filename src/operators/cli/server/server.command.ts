import { Injectable, Module } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { GameServer, type ServerStatus } from '../../../features/servers/game-server.entity.js';
import {
  serverAuditState,
  serverAuditSubject,
  ServerSqlEdits,
} from '../../../features/servers/server-sql-edits.js';
import { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import type { AuditEvent } from '../../../platform/audit/audit.entity.js';
import { Settings } from '../../../platform/config/settings.js';
import { describeTime, formatMinute } from '../../../platform/config/time.js';
import { InvalidRequest } from '../../../platform/http/errors/http.errors.js';
import { FourEyes, ApprovalRequest } from '../../actions/four-eyes/four-eyes.js';
import {
  FourEyesServerChange,
  type ServerChange,
} from '../../actions/servers/four-eyes-server-change.js';
import { MergeNotReady, ServerActions } from '../../actions/servers/server-actions.js';
import {
  readServerFields,
  SERVER_FIELDS,
  type ServerFields,
} from '../../actions/servers/server-fields.dto.js';
import {
  type ServerWithdrawalCounts,
  ServerWithdrawalStats,
} from '../../actions/servers/server-withdrawal-stats.js';
import { CommandFailed, type Report, UsageError } from '../command.js';
import { changesOf } from '../events/event-report.js';
import type { ActionOptions } from '../command-options.js';
import { confirm, listTable, terminalTable } from '../terminal.js';

const MAX_EVENTS = 20;
const NO_WITHDRAWALS: ServerWithdrawalCounts = { open: 0, unknown: 0, failedLastHour: 0 };

/** Holds options under Commander's names, such as `gmPort` for `--gm-port`. */
type ServerFieldOptions = Partial<Record<string, unknown>>;

@Injectable()
export class ServerCommand {
  constructor(
    @InjectRepository(GameServer) private readonly servers: Repository<GameServer>,
    private readonly actions: ServerActions,
    private readonly fourEyes: FourEyesServerChange,
    private readonly openWithdrawals: ServerWithdrawalStats,
    private readonly audit: AuditLog,
    private readonly settings: Settings,
  ) {}

  async list(): Promise<Report> {
    const servers = await this.servers.find({ order: { sort: 'ASC', id: 'ASC' } });
    const counts = await this.openWithdrawals.countByServer();
    const data = servers.map((server) => ({
      ...serverAuditState(server),
      withdrawals: counts.get(server.id),
    }));
    const problemOf = (server: GameServer) => this.actions.problemOf(server, servers);
    return { text: serverListReport(servers, counts, problemOf), data };
  }

  async show(id: number): Promise<Report> {
    const servers = await this.servers.find();
    const server = servers.find((one) => one.id === id) ?? (await this.find(id));
    const problem = this.actions.problemOf(server, servers);
    const open = await this.openWithdrawals.findIds(this.servers.manager, [id]);
    const acts = await this.audit.findBySubject(serverAuditSubject(id), MAX_EVENTS);
    const data = { server: serverAuditState(server), problem, open, acts };
    return { text: serverReport(server, problem, open, acts), data };
  }

  async add(given: ActionOptions & ServerFieldOptions): Promise<Report> {
    const fields = await parseServerFields(given);
    const { openAt } = fields;
    const isScheduled = fields.status === 'scheduled' && openAt;
    const effect = isScheduled
      ? this.hiddenUntil(openAt)
      : 'players cannot use it until it is opened';
    await confirm(`This adds the server ${fields.name}: ${effect}.`, given);
    const change = await this.fourEyes.add(given, fields);
    const { id, name, status } = change.server;
    const again = `with --id ${id}`;
    return changeReport(change, `Added: server ${id} ${name}, ${status}: ${effect}`, again);
  }

  async set(id: number, given: ActionOptions & ServerFieldOptions): Promise<Report> {
    const fields = await parseServerFields(given);
    if (Object.keys(fields).length === 0) throw new UsageError('name at least one column to set');
    const server = await this.find(id);
    const now: Record<string, unknown> = serverAuditState(
      Object.assign(new GameServer(), server, fields),
    );
    const changes = Object.entries(serverAuditState(server))
      .filter(([column, value]) => value !== now[column])
      .map(([column, value]) => `${column} from ${String(value)} to ${String(now[column])}`);
    if (changes.length === 0) throw new CommandFailed(`server ${id} is like that already`);
    await confirm(`This changes ${changes.join(', ')} of server ${id} ${server.name}.`, given);
    const change = await this.fourEyes.update(given, id, fields, serverAuditState(server));
    return changeReport(change, `Changed: ${changes.join(', ')}`);
  }

  async open(
    id: number,
    { as, at, ...given }: ActionOptions & { as: string; at?: Date | 'now' },
  ): Promise<Report> {
    if (at instanceof Date && at <= new Date())
      throw new UsageError('--at is in the past; to open at once, say --at now');
    const openAt = at === 'now' ? null : at;
    const from = openAt === undefined ? (await this.find(id)).openAt : openAt;
    const effect =
      from && from > new Date()
        ? `players register and withdraw at once, and enter from ${this.describe(from)} on`
        : 'players enter';
    return this.changeStatus(id, as as ServerStatus, effect, given, openAt);
  }

  schedule(id: number, { at, ...given }: ActionOptions & { at: Date }): Promise<Report> {
    if (at <= new Date()) throw new UsageError('--at is in the past; to open at once: server open');
    return this.changeStatus(id, 'scheduled', this.hiddenUntil(at), given, at);
  }

  maintenance(id: number, given: ActionOptions): Promise<Report> {
    const effect = 'nobody enters, registers or withdraws there';
    return this.changeStatus(id, 'maintenance', effect, given);
  }

  close(id: number, given: ActionOptions): Promise<Report> {
    return this.changeStatus(id, 'closed', 'players no longer see it', given);
  }

  private async changeStatus(
    id: number,
    status: ServerStatus,
    effect: string,
    given: ActionOptions,
    openAt?: Date | null,
  ): Promise<Report> {
    const server = await this.find(id);
    const what = `server ${id} ${server.name} goes from ${server.status} to ${status}: ${effect}`;
    await confirm(`${what[0]!.toUpperCase()}${what.slice(1)}.`, given);
    return doneReport(await this.actions.setStatus(given, id, status, openAt), `Done: ${what}`);
  }

  async merge(
    id: number,
    { into, ...given }: ActionOptions & { into: number | 'none' },
  ): Promise<Report> {
    const target = into === 'none' ? null : into;
    const other = target ?? (await this.find(id)).mergedInto;
    const effect =
      target === null
        ? `undoes the merge of server ${id} into server ${other}: withdrawals of ${id} look into its own game database again`
        : `merges server ${id} into server ${into}: withdrawals of ${id} look into the game database of ${into} from now on`;
    await confirm(`This ${effect}. The roles have to be there already.`, given);
    const change = await this.fourEyes.merge(given, id, target).catch(addCommandHint);
    const done = target === null ? 'The merge is undone' : 'Merged';
    const moved = target === null ? 'are moved back' : 'are moved';
    const next = `Open both when the roles ${moved}: gatehouse server open ${id}, gatehouse server open ${other}`;
    return changeReport(change, `${done}. ${next}`);
  }

  async cancel(id: number, given: ActionOptions): Promise<Report> {
    await confirm(`This removes the change of server ${id} that waits for a second person.`, given);
    await this.fourEyes.cancel(given, id);
    return { text: 'Removed.', data: { id } };
  }

  private hiddenUntil(openAt: Date): string {
    return `players do not see it until ${this.describe(openAt)}; then it opens automatically as new`;
  }

  private describe(time: Date): string {
    return describeTime(time, this.settings.current.timezone);
  }

  private async find(id: number): Promise<GameServer> {
    const server = await this.servers.findOneBy({ id });
    if (!server) throw new CommandFailed(`there is no server ${id}`);
    return server;
  }
}

function addCommandHint(error: unknown): never {
  if (!(error instanceof MergeNotReady) || error.running.length === 0) throw error;
  const commands = error.running.map((id) => `gatehouse server maintenance ${id}`);
  throw new CommandFailed(`${error.message} (${commands.join(', ')})`, { cause: error });
}

/** Reports a completed change or, under four-eyes approval, a proposed one. */
function changeReport({ server, waitsForSecond }: ServerChange, done: string, how = ''): Report {
  if (!waitsForSecond) return doneReport(server, done);
  const again = ['the same', how].filter(Boolean).join(' ');
  const text = `Nothing changed yet. A second person has to do ${again}, here or at the desk.`;
  return { text, data: { waits_for_second: true, id: server.id } };
}

function doneReport(server: GameServer, text: string): Report {
  return { text: `${text}.`, data: serverAuditState(server) };
}

const optionOf = (name: string) => (name === 'zone_group' ? 'group' : name.replaceAll('_', '-'));
const keyOf = (name: string) =>
  optionOf(name).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

async function parseServerFields(options: ServerFieldOptions): Promise<ServerFields> {
  const given = Object.keys(SERVER_FIELDS)
    .filter((name) => options[keyOf(name)] !== undefined)
    .map((name) => [name, valueOf(name, options[keyOf(name)])]);
  try {
    return await readServerFields(Object.fromEntries(given));
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const problems = error.details!.map(({ field, message }) => `--${optionOf(field)} ${message}`);
    throw new UsageError(problems.join('; '), { cause: error });
  }
}

/** Leaves text that is not a number unchanged, because the DTO rejects it. */
function valueOf(name: string, value: unknown): unknown {
  const { type, nullable } = SERVER_FIELDS[name]!;
  if (nullable && value === 'none') return null;
  if (value instanceof Date) return value.toISOString();
  if (type === 'boolean') return value === 'yes';
  const text = String(value);
  return type === 'integer' && /^-?\d{1,10}$/.test(text) ? Number(text) : text;
}

function serverListReport(
  servers: GameServer[],
  counts: Map<number, ServerWithdrawalCounts>,
  problemOf: (server: GameServer) => string | undefined,
): string {
  const countsOf = ({ id }: GameServer) => counts.get(id) ?? NO_WITHDRAWALS;
  return listTable(servers, {
    id: (server) => server.id,
    name: (server) => server.name,
    status: (server) => server.status,
    address: (server) => `${server.address}:${server.port}`,
    'opens (UTC)': (server) => server.openAt,
    into: (server) => server.mergedInto,
    open: (server) => countsOf(server).open,
    unknown: (server) => countsOf(server).unknown,
    'failed 1h': (server) => countsOf(server).failedLastHour,
    problem: (server) => problemOf(server) ?? null,
  });
}

function serverReport(
  server: GameServer,
  problem: string | undefined,
  open: number[],
  acts: AuditEvent[],
): string {
  const facts = terminalTable(
    ['server', String(server.id)],
    Object.entries(serverAuditState(server))
      .filter(([column]) => column !== 'id')
      .map(([column, value]) => [column, value === null ? null : `${value as string | number}`])
      .concat(server.openAt ? [['opens', `${formatMinute(server.openAt)} UTC`]] : []),
  );
  const withdrawals =
    open.length === 0
      ? 'No withdrawal is open.'
      : `Open withdrawals: ${open.slice(0, 50).join(', ')}`;
  const history = listTable(
    acts,
    {
      'time (UTC)': (act) => act.createdAt,
      who: (act) => act.operator,
      act: ({ act }) => act,
      what: changesOf,
      note: (act) => act.note,
    },
    'No change is on record.',
  );
  return [facts, ...(problem ? [`Problem: ${problem}`] : []), withdrawals, history].join('\n\n');
}

@Module({
  imports: [TypeOrmModule.forFeature([ApprovalRequest, GameServer, Withdrawal])],
  providers: [
    FourEyes,
    FourEyesServerChange,
    ServerWithdrawalStats,
    ServerSqlEdits,
    ServerActions,
    ServerCommand,
  ],
})
export class ServerCommandModule {}
