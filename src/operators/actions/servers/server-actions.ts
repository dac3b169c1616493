import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { latestRows } from '../../../platform/database/latest-rows.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActionRefused } from '../action-refused.js';
import { AuditLog, type Attribution } from '../../../platform/audit/audit-log.js';
import { serverAuditSubject, serverAuditState } from '../../../features/servers/server-edits.js';
import { GameServer, type ServerStatus } from '../../../features/servers/game-server.entity.js';
import { MergeNotReady } from './merge-not-ready.js';
import { validateServerChange, validateMerge } from './server-change-validation.js';
import { ServerWithdrawalStats } from './server-withdrawal-stats.js';

export type ServerFields = Partial<Omit<GameServer, 'mergedInto'>>;

const DEFAULTS: ServerFields = {
  status: 'maintenance',
  sort: 0,
  openAt: null,
  gmAddress: null,
  gmPort: 8080,
  gmPath: '/gm',
  dbHost: null,
  dbPort: null,
  group: null,
  recommended: false,
};

export interface ServerPreview {
  server: GameServer;
  problem: string | undefined;
}

/** What operators do about servers. Each act is one transaction with its `audit_event`; nonsense is refused before. */
@Injectable()
export class ServerActions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly openWithdrawals: ServerWithdrawalStats,
  ) {}

  /** What a row would be, and what is wrong with it. Changes nothing. */
  async preview(id: number | undefined, fields: ServerFields): Promise<ServerPreview> {
    const servers = await this.dataSource.manager.find(GameServer);
    if (id === undefined) {
      const server = newServer(fields);
      return { server, problem: addProblem(server, servers) };
    }
    const row = serverOf(servers, id);
    const server = withChanges(row, fields);
    return { server, problem: validateServerChange(server, others(servers, row)) };
  }

  /** Shut in every way until it is opened, unless a status is given. */
  async add(who: Attribution, fields: ServerFields): Promise<GameServer> {
    return this.runAction(async (manager, servers) => {
      const server = newServer(fields);
      const problem = addProblem(server, servers);
      if (problem) throw new ActionRefused(`the server is not added: ${problem}`);
      await manager.insert(GameServer, server);
      await this.writeAudit(manager, who, 'server.add', undefined, server);
      return server;
    });
  }

  update(who: Attribution, id: number, fields: ServerFields): Promise<GameServer> {
    return this.updateLocked(who, 'server.set', id, fields);
  }

  /** `openAt` only where it is given: null is at once. */
  setStatus(
    who: Attribution,
    id: number,
    status: ServerStatus,
    openAt?: Date | null,
  ): Promise<GameServer> {
    const act =
      status === 'maintenance' || status === 'closed' ? `server.${status}` : 'server.open';
    return this.updateLocked(who, act, id, openAt === undefined ? { status } : { status, openAt });
  }

  /**
   * Both in maintenance, and nothing open in either: only a person could settle that afterwards. A withdrawal is opened
   * with its server's row held, and running: what was being opened came before the maintenance, and is seen here.
   */
  merge(who: Attribution, id: number, into: number): Promise<GameServer> {
    const both = [id, into];
    return this.runAction(async (manager, servers) => {
      const { open, running } = await this.findMergeBlockers(manager, servers, both);
      if (open.length > 0) throw new MergeNotReady(open, running);
      return this.updateIn(
        manager,
        servers,
        { who, act: 'server.merge', id },
        { mergedInto: into },
      );
    });
  }

  /** What stands in the way of a merge now. Changes nothing. */
  async checkMerge(id: number, into: number) {
    const { manager } = this.dataSource;
    const servers = await manager.find(GameServer);
    const server = serverOf(servers, id);
    const { open } = await this.findMergeBlockers(manager, servers, [id, into]);
    return {
      open,
      problem: validateMerge(withChanges(server, { mergedInto: into }), others(servers, server)),
    };
  }

  /** What has to be done before a merge of these two, in words, and which of them still run. */
  private async findMergeBlockers(manager: EntityManager, servers: GameServer[], both: number[]) {
    const running = servers.filter(
      ({ id, status }) => both.includes(id) && status !== 'maintenance' && status !== 'closed',
    );
    const unsettled = await this.openWithdrawals.findIds(manager, both);
    const open = running.map(
      ({ id, status }) => `server ${id} is ${status}: it has to be in maintenance first`,
    );
    if (unsettled.length > 0)
      open.push(`settle these withdrawals first: ${unsettled.slice(0, 20).join(', ')}`);
    return { open, running: running.map(({ id }) => id) };
  }

  private updateLocked(
    who: Attribution,
    act: string,
    id: number,
    fields: Partial<GameServer>,
  ): Promise<GameServer> {
    return this.runAction((manager, servers) =>
      this.updateIn(manager, servers, { who, act, id }, fields),
    );
  }

  private async updateIn(
    manager: EntityManager,
    servers: GameServer[],
    { who, act, id }: { who: Attribution; act: string; id: number },
    fields: Partial<GameServer>,
  ): Promise<GameServer> {
    const server = serverOf(servers, id);
    const next = withChanges(server, fields);
    const problem = validateServerChange(next, others(servers, server));
    if (problem) throw new ActionRefused(`server ${id} is not changed: ${problem}`);
    await manager.save(GameServer, next);
    await this.writeAudit(manager, who, act, server, next);
    return next;
  }

  private async runAction<T>(
    step: (manager: EntityManager, servers: GameServer[]) => Promise<T>,
  ): Promise<T> {
    try {
      return await inTransaction(this.dataSource, async (manager) =>
        // All of them, locked: on one server the second of two merges at once sees the first.
        step(manager, await manager.find(GameServer, latestRows(manager))),
      );
    } catch (error) {
      if (isDuplicateKey(error))
        throw new ActionRefused('there is such a server already', { cause: error });
      throw error;
    }
  }

  private writeAudit(
    manager: EntityManager,
    who: Attribution,
    act: string,
    before: GameServer | undefined,
    after: GameServer,
  ) {
    return this.audit.write(manager, who, {
      act,
      subject: serverAuditSubject(after.id),
      before: before ? serverAuditState(before) : null,
      after: serverAuditState(after),
    });
  }
}

function newServer(fields: ServerFields): GameServer {
  return Object.assign(new GameServer(), DEFAULTS, { mergedInto: null }, fields);
}

function withChanges(server: GameServer, fields: Partial<GameServer>): GameServer {
  return Object.assign(new GameServer(), server, fields);
}

function serverOf(servers: GameServer[], id: number): GameServer {
  const server = servers.find((one) => one.id === id);
  if (!server) throw new ActionRefused(`there is no server ${id}`);
  return server;
}

function others(servers: GameServer[], server: GameServer): GameServer[] {
  return servers.filter((one) => one !== server);
}

function addProblem(server: GameServer, servers: GameServer[]): string | undefined {
  if (servers.some(({ id }) => id === server.id)) return `there is a server ${server.id} already`;
  return validateServerChange(server, servers);
}
