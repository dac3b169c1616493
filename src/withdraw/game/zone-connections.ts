import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'mysql2';
import { QueryFailedError } from 'typeorm';
import { Environment } from '../../config/environment.js';
import { Settings } from '../../config/settings.js';
import { Batcher } from '../../database/batcher.js';
import { BoundedMysql } from '../../database/bounded-mysql.js';
import { isDatabaseUnavailable, isStatementTimeout } from '../../database/database-errors.js';
import { MOST_IN_A_UNION, rowsByPlace, unionOf } from '../../database/union.js';
import type { WithdrawalZone } from './withdrawal-zones.js';

const CONNECTIONS_PER_ZONE = 4;
const IDLE_MS = 60_000;
// Doubled each time that a batch took too long again.
const [ALONE_MS, ALONE_AT_MOST_MS] = [60_000, 3_600_000];

export type Row = Record<string, unknown>;

export interface Select {
  /** What follows the word. */
  select: string;
  values: Array<string | number>;
}

interface OpenZone {
  pool: Pool;
  batcher: Batcher<Select, PromiseSettledResult<Row[]>>;
  idle: NodeJS.Timeout;
  pace: Pace;
}

/** Until then, by the process's clock, every SELECT is a statement of its own, and for how long that was decided last. */
interface Pace {
  aloneUntil: number;
  aloneMs: number;
}

/** Connections to the databases of the zones, opened on demand. */
@Injectable()
export class ZoneConnections implements OnApplicationShutdown {
  private readonly zones = new Map<string, OpenZone>();
  /** Kept while a zone is idle. */
  private readonly paces = new Map<string, Pace>();

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  onApplicationShutdown(): void {
    for (const key of this.zones.keys()) this.close(key);
  }

  async read(zone: WithdrawalZone, { select, values }: Select): Promise<Row[]> {
    return query(this.open(zone).pool, `SELECT ${select}`, values);
  }

  /**
   * The same for a few rows of known columns, in one statement with what others ask for at the moment. Where that takes
   * too long, as without a key on the account, each is asked for alone for a minute or more.
   */
  async readBatched(zone: WithdrawalZone, asked: Select): Promise<Row[]> {
    const { batcher, pace } = this.open(zone);
    if (performance.now() < pace.aloneUntil) return this.read(zone, asked);
    const answer = await batcher.submit(asked);
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  }

  private open({ id, dbHost, dbPort }: WithdrawalZone): OpenZone {
    const database = this.settings.current.game_database.pattern.replace('{server_id}', String(id));
    const key = [database, dbHost, dbPort].join(' ');
    const known = this.zones.get(key);
    known?.idle.refresh();
    if (known) return known;
    const pool = this.createPool(database, dbHost, dbPort);
    const opened: OpenZone = {
      pool,
      batcher: new Batcher(
        (asked) => queryAll(opened, asked),
        MOST_IN_A_UNION,
        () => 1,
        // Not the account database's.
        { waiting: 0 },
      ),
      idle: setTimeout(() => this.close(key), IDLE_MS).unref(),
      pace: this.paceOf(key),
    };
    this.zones.set(key, opened);
    return opened;
  }

  private paceOf(key: string): Pace {
    const pace = this.paces.get(key) ?? { aloneUntil: 0, aloneMs: 0 };
    this.paces.set(key, pace);
    return pace;
  }

  private createPool(database: string, dbHost: string | null, dbPort: number | null): Pool {
    const servers = this.environment.gameServers;
    if (servers === undefined) throw new Error('GAME_DATABASE_URL is not set');
    const [{ host, port }] = servers.hosts;
    const pool = new BoundedMysql().createPool({
      host: dbHost ?? host,
      port: dbPort ?? port,
      user: servers.user,
      password: servers.password,
      ssl: servers.ssl,
      database,
      charset: 'utf8mb4',
      supportBigNumbers: true,
      connectionLimit: CONNECTIONS_PER_ZONE,
    });
    pool.on('connection', (connection) => {
      connection.query('SET SESSION TRANSACTION READ ONLY', () => undefined);
    });
    return pool;
  }

  private close(key: string): void {
    const open = this.zones.get(key);
    if (!open) return;
    clearTimeout(open.idle);
    this.zones.delete(key);
    open.pool.end(() => undefined);
  }
}

/** In one statement; each alone where that fails, so that a name which the game's table cannot compare fails no other. */
async function queryAll(
  zone: OpenZone,
  asked: Select[],
): Promise<Array<PromiseSettledResult<Row[]>>> {
  const { pool, pace } = zone;
  try {
    const answers = await queryTogether(pool, asked);
    return answers.map((value) => ({ status: 'fulfilled', value }));
  } catch (error) {
    if (asked.length === 1) throw error;
    if (isStatementTimeout(error)) askAlone(pace);
    if (isDatabaseUnavailable(error)) throw error;
    return Promise.allSettled(
      asked.map(({ select, values }) => query(pool, `SELECT ${select}`, values)),
    );
  }
}

/** Once for those that were under way together. */
function askAlone(pace: Pace): void {
  if (performance.now() < pace.aloneUntil) return;
  pace.aloneMs = Math.min(Math.max(ALONE_MS, pace.aloneMs * 2), ALONE_AT_MOST_MS);
  pace.aloneUntil = performance.now() + pace.aloneMs;
}

async function queryTogether(pool: Pool, asked: Select[]): Promise<Row[][]> {
  const sql = unionOf(asked.map(({ select }) => select));
  const values = asked.flatMap((one) => one.values);
  return rowsByPlace(await query(pool, sql, values), asked.length);
}

function query(pool: Pool, sql: string, values: Select['values']): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    pool.getConnection((refused, connection) => {
      if (refused) return reject(refused);
      connection.query(sql, values, (error, rows) => {
        connection.release();
        if (error) reject(new QueryFailedError(sql, values, error));
        else resolve(rows as Row[]);
      });
      return undefined;
    });
  });
}
