import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { latestRows } from '../../../platform/database/latest-rows.js';
import { isCheckViolation, isDuplicateKey } from '../../../platform/database/database-errors.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActionRefused } from '../action-refused.js';
import { AuditLog, type Attribution } from '../../../platform/audit/audit-log.js';
import {
  serverAuditSubject,
  serverAuditState,
  ServerEdits,
} from '../../../features/servers/server-edits.js';
import { describeProblem } from '../../../features/servers/server-validation.js';
import type { FieldProblem } from '../../../platform/http/errors/app-error.js';
import { GameServer, type ServerStatus } from '../../../features/servers/game-server.entity.js';
import { MergeNotReady } from './merge-not-ready.js';
import { newServer, type ServerFields } from './new-server.js';
import { nextServerId } from './next-server-id.js';
import { columnProblems, validateMerge } from './server-change-validation.js';
import { ServerWithdrawalStats } from './server-withdrawal-stats.js';

/** Whether a change may be made now; false: it was stored as a request and waits for a second operator. */
export type ChangeGate = (
  manager: EntityManager,
  before: GameServer | undefined,
  after: GameServer,
) => Promise<boolean>;

export interface ServerPreview {
  server: GameServer;
  problem: string | undefined;
  /** The problems of single columns. */
  columns: FieldProblem[];
}

/** Acts about servers. Each act is one transaction with its `audit_event`; invalid values are refused before. */
@Injectable()
export class ServerActions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly audit: AuditLog,
    private readonly openWithdrawals: ServerWithdrawalStats,
    private readonly sqlEdits: ServerEdits,
  ) {}

  /** The resulting row and its problems. Changes nothing. */
  async preview(id: number | undefined, fields: ServerFields): Promise<ServerPreview> {
    const servers = await this.dataSource.manager.find(GameServer);
    const row = id === undefined ? undefined : serverOf(servers, id);
    const server = row ? withChanges(row, fields) : newServer(fields);
    const columns = [...this.columnProblems(row, server)];
    const problem = row
      ? this.changeProblem(row, server, servers)
      : this.addProblem(server, servers);
    return { server, columns, problem };
  }

  /** In maintenance until it is opened, unless a status is given. */
  add(who: Attribution, fields: ServerFields, gate?: ChangeGate): Promise<GameServer> {
    return this.runAction(async (manager, servers) => {
      const server = newServer(fields);
      server.id ??= await nextServerId(manager);
      const problem = this.addProblem(server, servers);
      if (problem) throw new ActionRefused(`the server is not added: ${problem}`);
      if (gate && !(await gate(manager, undefined, server))) return server;
      await manager.insert(GameServer, server);
      await this.writeAudit(manager, who, 'server.add', undefined, server);
      return server;
    });
  }

  update(
    who: Attribution,
    id: number,
    fields: ServerFields,
    gate?: ChangeGate,
  ): Promise<GameServer> {
    const act = 'server.set';
    return this.runAction((manager, servers) =>
      this.updateIn(manager, servers, { who, act, id, gate }, fields),
    );
  }

  /** Sets `openAt` only if it is given; null means at once. */
  setStatus(
    who: Attribution,
    id: number,
    status: ServerStatus,
    openAt?: Date | null,
  ): Promise<GameServer> {
    const act =
      status === 'maintenance' || status === 'closed' ? `server.${status}` : 'server.open';
    const fields = openAt === undefined ? { status } : { status, openAt };
    return this.runAction((manager, servers) =>
      this.updateIn(manager, servers, { who, act, id }, fields),
    );
  }

  /**
   * Both must be in maintenance, without open withdrawals: only a person could settle those afterwards. A withdrawal is
   * opened while its server's row is held and running, so any that was being opened came before the maintenance and is
   * seen here. `into` null undoes a merge, under the same conditions.
   */
  merge(who: Attribution, id: number, into: number | null): Promise<GameServer> {
    return this.runAction(async (manager, servers) => {
      const other = into ?? serverOf(servers, id).mergedInto;
      if (other === null) throw new ActionRefused(`server ${id} is not merged into another`);
      if (into === id)
        throw new ActionRefused(`server ${id} is not changed: it cannot be merged into itself`);
      const { open, running } = await this.findMergeBlockers(manager, servers, [id, other]);
      if (open.length > 0) throw new MergeNotReady(open, running);
      return this.updateIn(
        manager,
        servers,
        { who, act: 'server.merge', id },
        { mergedInto: into },
      );
    });
  }

  /** What prevents a merge now. Changes nothing. */
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

  /** The problems of a row as it is, in words. */
  problemOf(server: GameServer, servers: GameServer[]): string | undefined {
    return this.changeProblem(undefined, server, servers);
  }

  private addProblem(server: GameServer, servers: GameServer[]): string | undefined {
    if (servers.some(({ id }) => id === server.id)) return `there is a server ${server.id} already`;
    return this.problemOf(server, servers);
  }

  private changeProblem(
    before: GameServer | undefined,
    after: GameServer,
    servers: GameServer[],
  ): string | undefined {
    const [first] = this.columnProblems(before, after);
    return describeProblem(first) ?? validateMerge(after, others(servers, before ?? after));
  }

  private columnProblems(before: GameServer | undefined, after: GameServer) {
    return columnProblems(before, after, this.settings.current.game_hosts);
  }

  /** What must be done before merging these two, in words, and which of them still run. */
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

  private async updateIn(
    manager: EntityManager,
    servers: GameServer[],
    { who, act, id, gate }: { who: Attribution; act: string; id: number; gate?: ChangeGate },
    fields: Partial<GameServer>,
  ): Promise<GameServer> {
    const server = serverOf(servers, id);
    const next = withChanges(server, fields);
    const problem = this.changeProblem(server, next, servers);
    if (problem) throw new ActionRefused(`server ${id} is not changed: ${problem}`);
    if (gate && !(await gate(manager, server, next))) return server;
    await manager.save(GameServer, next);
    await this.writeAudit(manager, who, act, server, next);
    return next;
  }

  private async runAction<T>(
    step: (manager: EntityManager, servers: GameServer[]) => Promise<T>,
  ): Promise<T> {
    // Otherwise the event of this act would hide an SQL edit made a moment ago.
    await this.sqlEdits.recordAll();
    try {
      return await inTransaction(this.dataSource, async (manager) =>
        // All of them, locked: of two concurrent merges the second sees the first.
        step(manager, await manager.find(GameServer, latestRows(manager))),
      );
    } catch (error) {
      if (isDuplicateKey(error))
        throw new ActionRefused('there is such a server already', { cause: error });
      // For example a name of combining marks only, which just the database considers empty.
      if (isCheckViolation(error))
        throw new ActionRefused(`the database rejected the row: ${(error as Error).message}`, {
          cause: error,
        });
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
