import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { ActionOptions } from '../arguments.js';
import { CommandFailed, type Report, UsageError } from '../command.js';
import { confirm } from '../confirm.js';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import { ServerWithdrawalStats } from '../../actions/servers/server-withdrawal-stats.js';
import { MergeNotReady } from '../../actions/servers/merge-not-ready.js';
import { ServerActions } from '../../actions/servers/server-actions.js';
import { serverAuditSubject, serverAuditState } from '../../../features/servers/server-edits.js';
import { GameServer, type ServerStatus } from '../../../features/servers/game-server.entity.js';
import { parseServerFields, type ServerFieldOptions } from './server-field-options.js';
import { serverReport, serverListReport } from './server-report.js';
import { formatMinute } from '../../format-minute.js';

const MAX_EVENTS = 20;

/** Queries and acts about servers, for terminals. */
@Injectable()
export class ServerCommand {
  constructor(
    @InjectRepository(GameServer) private readonly servers: Repository<GameServer>,
    private readonly actions: ServerActions,
    private readonly openWithdrawals: ServerWithdrawalStats,
    private readonly audit: AuditLog,
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
    await confirm(`This adds the server ${fields.name}, shut until it is opened.`, given);
    const server = await this.actions.add(given, fields);
    return doneReport(server, `Added: server ${server.id} ${server.name}, ${server.status}`);
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
    const changed = await this.actions.update(given, id, fields);
    return doneReport(changed, `Changed: ${changes.join(', ')}`);
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
        ? `players register and withdraw at once, and enter from ${formatMinute(from)} UTC on`
        : 'players enter';
    return this.changeStatus(id, as as ServerStatus, effect, given, openAt);
  }

  maintenance(id: number, given: ActionOptions): Promise<Report> {
    const effect = 'nobody enters, registers or withdraws there';
    return this.changeStatus(id, 'maintenance', effect, given);
  }

  close(id: number, given: ActionOptions): Promise<Report> {
    return this.changeStatus(id, 'closed', 'it is gone for players', given);
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
    const server = await this.actions.merge(given, id, target).catch(addCommandHint);
    const done = target === null ? 'The merge is undone' : 'Merged';
    const next = `Open both when the roles are moved: gatehouse server open ${id}, gatehouse server open ${other}`;
    return doneReport(server, `${done}. ${next}`);
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

function doneReport(server: GameServer, text: string): Report {
  return { text: `${text}.`, data: serverAuditState(server) };
}
