import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  ACTION_OPTIONS,
  type Arguments,
  requireAttribution,
  parseArguments,
  parsePositiveInt,
} from '../arguments.js';
import { CommandFailed, type Report, UsageError } from '../command.js';
import { confirm } from '../confirm.js';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import { validateServerChange } from '../../actions/servers/server-change-validation.js';
import { ServerWithdrawalStats } from '../../actions/servers/server-withdrawal-stats.js';
import { MergeNotReady } from '../../actions/servers/merge-not-ready.js';
import { ServerActions } from '../../actions/servers/server-actions.js';
import { serverAuditSubject, serverAuditState } from '../../../features/servers/server-edits.js';
import { GameServer, type ServerStatus } from '../../../features/servers/game-server.entity.js';
import { SERVER_FIELD_OPTIONS, parseServerFields, parseUtcTime } from './server-field-options.js';
import { serverReport, serverListReport } from './server-report.js';

const MAX_EVENTS = 20;
const OPEN_STATUSES = ['new', 'normal', 'busy', 'full'];

export const OPTIONS = [...ACTION_OPTIONS, ...SERVER_FIELD_OPTIONS, 'at', 'as', 'into'];

export const USAGE = `gatehouse server list                                    with what is open and what failed in the last hour
gatehouse server show <id>                               its row, open withdrawals, and who changed it
                                                         (do its database and GM interface answer? gatehouse check --server <id>)

gatehouse server add --id 12 --name "Dragon Valley" --address s12.game.example --port 7012 [--gm-address 10.0.0.12 …]
                                                         listed, and shut until it is opened
gatehouse server set <id> [--name …] [--address …] [--port …] [--sort …] [--gm-address …] [--gm-port …] [--gm-path …]
                                                         [--db-host …] [--db-port …] [--group …] [--recommended yes|no]; "none" for the default
gatehouse server open <id> [--as new|normal|busy|full] [--at "2026-12-01 10:00"|now]
gatehouse server maintenance <id>
gatehouse server close <id>                              gone for players; the row stays
gatehouse server merge <id> --into <id>                  names open withdrawals; both must be in maintenance
Each of these needs --by <your name> --note <why>, says what it will do, and asks unless --yes.
An edit shows on every instance within 2 seconds. --json prints JSON. Times are UTC.

Examples
  gatehouse server list
  gatehouse server maintenance 12 --by anna --note "new hardware"
  gatehouse server open 12 --as new --at "2026-12-01 10:00" --by anna --note "launch" --yes`;

/** What people do about servers on a terminal. */
@Injectable()
export class ServerCommand {
  constructor(
    @InjectRepository(GameServer) private readonly servers: Repository<GameServer>,
    private readonly actions: ServerActions,
    private readonly openWithdrawals: ServerWithdrawalStats,
    private readonly audit: AuditLog,
  ) {}

  async run(args: string[]): Promise<Report & { json: boolean }> {
    const given = parseArguments(args, OPTIONS);
    return { ...(await this.dispatch(given)), json: given.json };
  }

  private dispatch(given: Arguments): Promise<Report> {
    const [command, which, ...more] = given.positionals;
    if (command === undefined) throw new UsageError('say what to do');
    if (command === 'list' && which === undefined) return this.list();
    if (command === 'add' && which === undefined) return this.add(given);
    if (which === undefined || more.length > 0) throw new UsageError('not understood');
    const id = parsePositiveInt(which, 'id of a server');
    if (command === 'show') return this.show(id);
    if (command === 'set') return this.set(id, given);
    if (command === 'open') return this.open(id, given);
    if (command === 'maintenance')
      return this.changeStatus(
        id,
        'maintenance',
        'nobody enters, registers or withdraws there',
        given,
      );
    if (command === 'close')
      return this.changeStatus(id, 'closed', 'it is gone for players', given);
    if (command === 'merge') return this.merge(id, given);
    throw new UsageError(`there is no "server ${command}"`);
  }

  private async list(): Promise<Report> {
    const servers = await this.servers.find({ order: { sort: 'ASC', id: 'ASC' } });
    const counts = await this.openWithdrawals.countByServer();
    const data = servers.map((server) => ({
      ...serverAuditState(server),
      withdrawals: counts.get(server.id),
    }));
    return { text: serverListReport(servers, counts), data };
  }

  private async show(id: number): Promise<Report> {
    const server = await this.find(id);
    const others = (await this.servers.find()).filter((other) => other.id !== id);
    const problem = validateServerChange(server, others);
    const open = await this.openWithdrawals.findIds(this.servers.manager, [id]);
    const acts = await this.audit.findBySubject(serverAuditSubject(id), MAX_EVENTS);
    const data = { server: serverAuditState(server), problem, open, acts };
    return { text: serverReport(server, problem, open, acts), data };
  }

  private async add(given: Arguments): Promise<Report> {
    const fields = await parseServerFields(given.options);
    const who = requireAttribution(given);
    await confirm(`This adds the server ${fields.name}, shut until it is opened.`, given);
    const server = await this.actions.add(who, fields);
    return doneReport(server, `Added: server ${server.id} ${server.name}, ${server.status}`);
  }

  private async set(id: number, given: Arguments): Promise<Report> {
    const fields = await parseServerFields(given.options);
    if (Object.keys(fields).length === 0) throw new UsageError('say what to set');
    if (fields.id !== undefined) throw new UsageError('the id of a server cannot be changed');
    const who = requireAttribution(given);
    const server = await this.find(id);
    const now: Record<string, unknown> = serverAuditState(
      Object.assign(new GameServer(), server, fields),
    );
    const changes = Object.entries(serverAuditState(server))
      .filter(([column, value]) => value !== now[column])
      .map(([column, value]) => `${column} from ${String(value)} to ${String(now[column])}`);
    if (changes.length === 0) throw new CommandFailed(`server ${id} is like that already`);
    await confirm(`This changes ${changes.join(', ')} of server ${id} ${server.name}.`, given);
    return doneReport(await this.actions.update(who, id, fields), `Changed: ${changes.join(', ')}`);
  }

  private open(id: number, given: Arguments): Promise<Report> {
    const { as = 'normal', at } = given.options;
    if (!OPEN_STATUSES.includes(as))
      throw new UsageError(`--as is one of ${OPEN_STATUSES.join(', ')}`);
    const openAt = at === undefined ? undefined : at === 'now' ? null : parseUtcTime(at, 'at');
    const effect = openAt ? `players enter from ${openAt.toISOString()} on` : 'players enter';
    return this.changeStatus(id, as as ServerStatus, effect, given, openAt);
  }

  private async changeStatus(
    id: number,
    status: ServerStatus,
    effect: string,
    given: Arguments,
    openAt?: Date | null,
  ): Promise<Report> {
    const who = requireAttribution(given);
    const server = await this.find(id);
    const what = `server ${id} ${server.name} goes from ${server.status} to ${status}: ${effect}`;
    await confirm(`${what[0]!.toUpperCase()}${what.slice(1)}.`, given);
    return doneReport(await this.actions.setStatus(who, id, status, openAt), `Done: ${what}`);
  }

  private async merge(id: number, given: Arguments): Promise<Report> {
    const into = parsePositiveInt(given.options.into, 'id of a server, for --into');
    const who = requireAttribution(given);
    await confirm(
      `This merges server ${id} into server ${into}: withdrawals of ${id} look into the game database of ${into} from now on. ` +
        `The roles have to be there already.`,
      given,
    );
    const server = await this.actions.merge(who, id, into).catch(addCommandHint);
    const next = `Open both when the roles are moved: gatehouse server open ${id}, gatehouse server open ${into}`;
    return doneReport(server, `Merged. ${next}`);
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
