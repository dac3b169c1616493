import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Connection } from 'mysql2';
import { QueryFailedError } from 'typeorm';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { Batcher } from '../../../platform/database/batcher.js';
import { MysqlPool } from '../../../platform/database/mysql-pool.js';
import { prepareSession } from '../../../platform/database/mysql-session.js';
import { STATEMENT_TIMEOUT_MS } from '../../../platform/database/time-limits.js';
import {
  isDatabaseUnavailable,
  isStatementTimeout,
} from '../../../platform/database/database-errors.js';
import {
  MAX_UNION_SELECTS,
  groupRowsBySelect,
  unionAll,
} from '../../../platform/database/union.js';
import type { WithdrawalServer } from './withdrawal-servers.js';

const CONNECTIONS_PER_SERVER = 4;
const IDLE_MS = 60_000;
// Doubled each time that a batch took too long again.
const [MIN_UNBATCHED_MS, MAX_UNBATCHED_MS] = [60_000, 3_600_000];

export type Row = Record<string, unknown>;

export interface SelectQuery {
  /** What follows the word. */
  select: string;
  values: Array<string | number>;
}

interface OpenPool {
  pool: MysqlPool;
  batcher: Batcher<SelectQuery, PromiseSettledResult<Row[]>>;
  idleTimer: NodeJS.Timeout;
  backoff: BatchBackoff;
}

/** Until then, by the process's clock, every SELECT is a statement of its own, and for how long that was decided last. */
interface BatchBackoff {
  unbatchedUntil: number;
  unbatchedMs: number;
}

/** Connections to the databases of the servers, opened on demand. */
@Injectable()
export class GameDatabasePools implements OnApplicationShutdown {
  private readonly pools = new Map<string, OpenPool>();
  /** Kept while a server is idle. */
  private readonly backoffs = new Map<string, BatchBackoff>();

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  onApplicationShutdown(): void {
    for (const key of this.pools.keys()) this.close(key);
  }

  async read(server: WithdrawalServer, { select, values }: SelectQuery): Promise<Row[]> {
    return query(this.open(server).pool, `SELECT ${select}`, values);
  }

  /**
   * The same for a few rows of known columns, in one statement with what others ask for at the moment. Where that takes
   * too long, as without a key on the account, each is asked for alone for a minute or more.
   */
  async readBatched(server: WithdrawalServer, request: SelectQuery): Promise<Row[]> {
    const { batcher, backoff } = this.open(server);
    if (performance.now() < backoff.unbatchedUntil) return this.read(server, request);
    const answer = await batcher.submit(request);
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  }

  private open({ id, dbHost, dbPort }: WithdrawalServer): OpenPool {
    const database = this.settings.current.game_database.pattern.replace('{server_id}', String(id));
    const key = [database, dbHost, dbPort].join(' ');
    const known = this.pools.get(key);
    known?.idleTimer.refresh();
    if (known) return known;
    const pool = this.createPool(database, dbHost, dbPort);
    const opened: OpenPool = {
      pool,
      batcher: new Batcher(
        (asked) => queryAll(opened, asked),
        MAX_UNION_SELECTS,
        () => 1,
        // Not the account database's.
        { waiting: 0 },
      ),
      idleTimer: setTimeout(() => this.close(key), IDLE_MS).unref(),
      backoff: this.backoffOf(key),
    };
    this.pools.set(key, opened);
    return opened;
  }

  private backoffOf(key: string): BatchBackoff {
    const pace = this.backoffs.get(key) ?? { unbatchedUntil: 0, unbatchedMs: 0 };
    this.backoffs.set(key, pace);
    return pace;
  }

  private createPool(database: string, dbHost: string | null, dbPort: number | null): MysqlPool {
    const servers = this.environment.gameDatabase;
    if (servers === undefined) throw new Error('GAME_DATABASE_URL is not set');
    const [{ host, port }] = servers.hosts;
    const options = {
      host: dbHost ?? host,
      port: dbPort ?? port,
      user: servers.user,
      password: servers.password,
      ssl: servers.ssl,
      database,
      charset: 'utf8mb4',
      supportBigNumbers: true,
    };
    return new MysqlPool(options, {
      connections: CONNECTIONS_PER_SERVER,
      writes: 0,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      prepare: prepareReadOnlySession,
    });
  }

  private close(key: string): void {
    const open = this.pools.get(key);
    if (!open) return;
    clearTimeout(open.idleTimer);
    this.pools.delete(key);
    void open.pool.end();
  }
}

/** In one statement; each alone where that fails, so that a name which the game's table cannot compare fails no other. */
async function queryAll(
  server: OpenPool,
  queries: SelectQuery[],
): Promise<Array<PromiseSettledResult<Row[]>>> {
  const { pool, backoff } = server;
  try {
    const answers = await queryAsUnion(pool, queries);
    return answers.map((value) => ({ status: 'fulfilled', value }));
  } catch (error) {
    if (queries.length === 1) throw error;
    if (isStatementTimeout(error)) pauseBatching(backoff);
    if (isDatabaseUnavailable(error)) throw error;
    return Promise.allSettled(
      queries.map(({ select, values }) => query(pool, `SELECT ${select}`, values)),
    );
  }
}

/** Once for those that were under way together. */
function pauseBatching(backoff: BatchBackoff): void {
  if (performance.now() < backoff.unbatchedUntil) return;
  backoff.unbatchedMs = Math.min(
    Math.max(MIN_UNBATCHED_MS, backoff.unbatchedMs * 2),
    MAX_UNBATCHED_MS,
  );
  backoff.unbatchedUntil = performance.now() + backoff.unbatchedMs;
}

async function queryAsUnion(pool: MysqlPool, queries: SelectQuery[]): Promise<Row[][]> {
  const sql = unionAll(queries.map(({ select }) => select));
  const values = queries.flatMap((one) => one.values);
  return groupRowsBySelect(await query(pool, sql, values), queries.length);
}

async function query(pool: MysqlPool, sql: string, values: SelectQuery['values']): Promise<Row[]> {
  const connection = await pool.acquire('read');
  try {
    return (await connection.run(sql, values)) as Row[];
  } catch (error) {
    throw new QueryFailedError(sql, values, error as Error);
  } finally {
    pool.release(connection, 'read');
  }
}

async function prepareReadOnlySession(connection: Connection): Promise<void> {
  await prepareSession(connection);
  connection.query('SET SESSION TRANSACTION READ ONLY', () => undefined);
}
