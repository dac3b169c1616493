import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolOptions } from 'mysql2';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { MysqlWithTimeouts } from '../../../platform/database/mysql-with-timeouts.js';
import type { WithdrawalServer } from './withdrawal-servers.js';

const CONNECTIONS_PER_SERVER = 4;
const IDLE_MS = 60_000;

export type Row = Record<string, unknown>;

interface OpenPool {
  pool: Pool;
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
    return new Promise((resolve, reject) => {
      pool.getConnection((refused, connection) => {
        if (refused) return reject(refused);
        connection.query(sql, values, (error, rows) => {
          connection.release();
          if (error) reject(error);
          else resolve(rows as Row[]);
        });
        return undefined;
      });
    });
  }

  private resolveTarget({ id, dbHost, dbPort }: WithdrawalServer): PoolOptions {
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
  private open(target: PoolOptions): Pool {
    const key = [target.host, target.port, target.database, target.user].join(' ');
    const known = this.pools.get(key);
    known?.idleTimer.refresh();
    if (known) return known.pool;
    const pool = new MysqlWithTimeouts().createPool({
      ...target,
      charset: 'utf8mb4',
      supportBigNumbers: true,
      connectionLimit: CONNECTIONS_PER_SERVER,
    });
    pool.on('connection', (connection) => {
      connection.query('SET SESSION TRANSACTION READ ONLY', () => undefined);
    });
    const idleTimer = setTimeout(() => this.close(key), IDLE_MS).unref();
    this.pools.set(key, { pool, idleTimer });
    return pool;
  }

  private close(key: string): void {
    const open = this.pools.get(key);
    if (!open) return;
    clearTimeout(open.idleTimer);
    this.pools.delete(key);
    open.pool.end(() => undefined);
  }
}
