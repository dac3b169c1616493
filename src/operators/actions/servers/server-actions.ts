import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Attribution, AuditLog } from '../../../platform/audit/audit-log.js';
import type { DatabaseTarget } from '../../../platform/config/database-url.js';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { isCheckViolation, isDuplicateKey } from '../../../platform/database/database-errors.js';
import { latestRows } from '../../../platform/database/sql.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { GameServer, type ServerStatus } from '../../../features/servers/game-server.entity.js';
import {
  serverAuditState,
  serverAuditSubject,
  ServerSqlEdits,
} from '../../../features/servers/server-sql-edits.js';
import { describeProblem } from '../../../features/servers/server-validation.js';
import { ActionRefused } from '../action-refused.js';
import { columnProblems, opensLater, validateMerge } from './server-change-validation.js';
import { newServer, type ServerFields } from './server-fields.dto.js';
import { ServerWithdrawalStats } from './server-withdrawal-stats.js';

/** Reports that a merge is not possible yet. The message says what must be done first. */
export class MergeNotReady extends ActionRefused {
  constructor(
    open: string[],
    /** These servers must enter maintenance before the merge. */
    readonly running: number[],
  ) {
    super(`nothing changed: ${open.join('; ')}`);
  }
}

/** Returns false if the change was stored as a request and waits for a second operator. */
export type ChangeGate = (
  manager: EntityManager,
  before: GameServer | undefined,
  after: GameServer,
) => Promise<boolean>;

/** Holds columns as `serverAuditState` returned them when the operator decided on a change. */
export type ShownColumns = Readonly<Record<string, unknown>>;

/** Each change and its `audit_event` are written in one transaction. */
@Injectable()
export class ServerActions {
  // The URL is parsed only once, because parsing reads the certificate files.
  private readonly gameDatabase: DatabaseTarget | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly settings: Settings,
    private readonly audit: AuditLog,
    private readonly openWithdrawals: ServerWithdrawalStats,
    private readonly sqlEdits: ServerSqlEdits,
  ) {
    this.gameDatabase = environment.gameDatabase;
  }

  /** Returns the resulting row and its problems without changing anything. */
  async preview(id: number | undefined, fields: ServerFields) {
    const servers = await this.dataSource.manager.find(GameServer);
    const row = id === undefined ? undefined : serverOf(servers, id);
    const server = row ? withChanges(row, fields) : newServer(fields, servers);
    const columns = [...this.columnProblems(row, server)];
    const problem = row
      ? this.changeProblem(row, server, servers)
      : this.addProblem(server, servers);
    return { server, columns, problem };
  }

  /** Adds a server, which starts in maintenance unless a status is given. */
  add(who: Attribution, fields: ServerFields, gate?: ChangeGate): Promise<GameServer> {
    return this.runAction(async (manager, servers) => {
      const server = newServer(fields, servers);
      server.id ??= await nextServerId(manager);
      const problem = this.addProblem(server, servers);
      if (problem) throw new ActionRefused(`the server is not added: ${problem}`);
      if (gate && !(await gate(manager, undefined, server))) return server;
      await manager.insert(GameServer, server);
      await this.writeAudit(manager, who, 'server.add', undefined, server);
      return server;
    });
  }

  /** Changes a server, or throws if a column that the operator saw (`shown`) has changed since then. */
  update(
    who: Attribution,
    id: number,
    fields: ServerFields,
    { gate, shown }: { gate?: ChangeGate; shown?: ShownColumns } = {},
  ): Promise<GameServer> {
    return this.runAction((manager, servers) => {
      refuseStale(serverOf(servers, id), fields, shown);
      return this.updateIn(manager, servers, { who, act: 'server.set', id, gate }, fields);
    });
  }

  /**
   * If `openAt` is undefined, the opening time stays the same; null opens the server immediately. Closing a server also
   * removes a future opening time, because a closed server does not open by itself.
   */
  setStatus(
    who: Attribution,
    id: number,
    status: ServerStatus,
    openAt?: Date | null,
  ): Promise<GameServer> {
    const isOpening = status !== 'maintenance' && status !== 'closed' && status !== 'scheduled';
    const act = isOpening ? 'server.open' : `server.${status}`;
    return this.runAction((manager, servers) => {
      const isRemoved = status === 'closed' && opensLater(serverOf(servers, id));
      const time = openAt === undefined && isRemoved ? null : openAt;
      const fields = time === undefined ? { status } : { status, openAt: time };
      return this.updateIn(manager, servers, { who, act, id }, fields);
    });
  }

  /**
   * Merges two servers, or undoes a merge if `into` is null. Both servers must be in maintenance and have no open
   * withdrawals, because only a person could settle these withdrawals after the merge. Opening a withdrawal locks the
   * server's row and requires a running server, so this check sees every open withdrawal.
   */
  merge(who: Attribution, id: number, into: number | null, gate?: ChangeGate): Promise<GameServer> {
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
        { who, act: 'server.merge', id, gate },
        { mergedInto: into },
      );
    });
  }

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

  problemOf(server: GameServer, servers: GameServer[]): string | undefined {
    return this.changeProblem(undefined, server, servers);
  }

  private addProblem(server: GameServer, servers: GameServer[]): string | undefined {
    if (servers.some(({ id }) => id === server.id)) return `server ${server.id} already exists`;
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
    const { environment, gameDatabase } = this;
    return columnProblems(before, after, {
      environment,
      gameDatabase,
      settings: this.settings.current,
    });
  }

  /** Returns what must be done before these two servers can merge, and which of them are still running. */
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
    // An SQL edit must be recorded first, because the event of this change would otherwise hide it.
    await this.sqlEdits.recordAll();
    try {
      return await inTransaction(this.dataSource, async (manager) =>
        // All servers are locked, so that the second of two concurrent merges sees the first.
        step(manager, await manager.find(GameServer, latestRows(manager))),
      );
    } catch (error) {
      if (isDuplicateKey(error))
        throw new ActionRefused('the server already exists', { cause: error });
      // Some problems are visible only to the database, such as a name that consists of combining marks.
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

/** Throws if a shown column has changed in the meantime, unless it already has the wanted value. */
function refuseStale(server: GameServer, fields: ServerFields, shown: ShownColumns = {}): void {
  type State = Record<string, string | number | boolean | null>;
  const now: State = serverAuditState(server);
  const wanted: State = serverAuditState(withChanges(server, fields));
  const stale = Object.keys(now)
    .filter((column) => Object.hasOwn(shown, column) && shown[column] !== now[column])
    .filter((column) => wanted[column] !== now[column]);
  if (stale.length === 0) return;
  const values = stale.map((column) => `${column} is now ${now[column] ?? 'empty'}`);
  throw new ActionRefused(
    `somebody else has changed server ${server.id} meanwhile, repeat it to overwrite: ${values.join('; ')}`,
  );
}

function serverOf(servers: GameServer[], id: number): GameServer {
  const server = servers.find((one) => one.id === id);
  if (!server) throw new ActionRefused(`there is no server ${id}`);
  return server;
}

function others(servers: GameServer[], server: GameServer): GameServer[] {
  return servers.filter((one) => one !== server);
}

// A new server must not reuse the id of a request, or of a deleted server to which withdrawals still refer.
const NEXT_ID = `SELECT MAX(id) + 1 AS id FROM (
  SELECT 0 AS id
  UNION ALL SELECT MAX(id) FROM server
  UNION ALL SELECT MAX(target_id) FROM approval_request WHERE kind = 'server'
  UNION ALL SELECT MAX(role_server_id) FROM withdraw
) AS used`;

async function nextServerId(manager: EntityManager): Promise<number> {
  const [{ id }] = await manager.query<[{ id: number | string }]>(NEXT_ID);
  return Number(id);
}
