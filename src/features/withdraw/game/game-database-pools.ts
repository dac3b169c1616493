import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Connection, ConnectionOptions } from 'mysql2';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { MysqlPool } from '../../../platform/database/mysql-pool.js';
import { prepareSession } from '../../../platform/database/mysql-session.js';
import { STATEMENT_TIMEOUT_MS } from '../../../platform/database/time-limits.js';
import type { WithdrawalServer } from './withdrawal-servers.js';

const CONNECTIONS_PER_SERVER = 4;
const IDLE_MS = 60_000;

export type Row = Record<string, unknown>;

interface OpenPool {
  pool: MysqlPool;
  idleTimer: NodeJS.Timeout;
}

/** Connections to the databases of the servers, opened on demand and closed when idle. */
@Injectable()
export class GameDatabasePools implements OnApplicationShutdown {
  private readonly pools = new Map<string, OpenPool>();

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  onApplicationShutdown(): void {
    for (const key of this.pools.keys()) this.close(key);
  }

  async read(
    server: WithdrawalServer,
    sql: string,
    values: Array<string | number>,
  ): Promise<Row[]> {
    const pool = this.open(this.resolveTarget(server));
    return pool.use('read', async (connection) => (await connection.run(sql, values)) as Row[]);
  }

  private resolveTarget({ id, dbHost, dbPort }: WithdrawalServer): ConnectionOptions {
    const servers = this.environment.gameDatabase;
    if (servers === undefined) throw new Error('GAME_DATABASE_URL is not set');
    const [{ host, port }] = servers.hosts;
    return {
      host: dbHost ?? host,
      port: dbPort ?? port,
      user: servers.user,
      password: servers.password,
      ssl: servers.ssl,
      database: this.settings.current.game_database.pattern.replace('{server_id}', String(id)),
    };
  }

  /** By the resolved target, so that an edited server is read at its new place at once. */
  private open(target: ConnectionOptions): MysqlPool {
    const key = [target.host, target.port, target.database, target.user].join(' ');
    const known = this.pools.get(key);
    known?.idleTimer.refresh();
    if (known) return known.pool;
    const pool = new MysqlPool(
      { ...target, charset: 'utf8mb4', supportBigNumbers: true },
      {
        connections: CONNECTIONS_PER_SERVER,
        writes: 0,
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
        prepare: prepareReadOnlySession,
      },
    );
    const idleTimer = setTimeout(() => this.close(key), IDLE_MS).unref();
    this.pools.set(key, { pool, idleTimer });
    return pool;
  }

  private close(key: string): void {
    const open = this.pools.get(key);
    if (!open) return;
    clearTimeout(open.idleTimer);
    this.pools.delete(key);
    void open.pool.end();
  }
}

async function prepareReadOnlySession(connection: Connection): Promise<void> {
  await prepareSession(connection);
  connection.query('SET SESSION TRANSACTION READ ONLY', () => undefined);
}
