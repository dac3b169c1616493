import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Connection, ConnectionOptions } from 'mysql2';
import type { DatabaseTarget } from '../../../platform/config/database-url.js';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { MysqlPool } from '../../../platform/database/mysql-pool.js';
import { prepareSession } from '../../../platform/database/mysql-session.js';
import { STATEMENT_TIMEOUT_MS } from '../../../platform/database/time-limits.js';
import { gameDatabaseAuth } from './game-database-auth.js';
import { gameHostProblem } from './game-hosts.js';
import type { WithdrawalServer } from './withdrawal-servers.js';

const CONNECTIONS_PER_SERVER = 4;

export type Row = Record<string, unknown>;

/** Connections to the databases of the servers, opened on demand and closed by the pool when idle. */
@Injectable()
export class GameDatabasePools implements OnApplicationShutdown {
  private readonly pools = new Map<string, MysqlPool>();
  // Parsed once, because parsing reads the certificate files.
  private readonly servers: DatabaseTarget | undefined;

  constructor(
    environment: Environment,
    private readonly settings: Settings,
  ) {
    this.servers = environment.gameDatabase;
  }

  onApplicationShutdown(): void {
    for (const pool of this.pools.values()) void pool.end();
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
    const { servers } = this;
    if (servers === undefined) throw new Error('GAME_DATABASE_URL is not set');
    const [{ host, port }] = servers.hosts;
    const problem = dbHost && gameHostProblem(dbHost, this.settings.current.game_hosts);
    if (problem) throw new Error(`its db_host ${problem}`);
    return {
      host: dbHost ?? host,
      port: dbPort ?? port,
      user: servers.user,
      password: servers.password,
      ssl: servers.ssl,
      authPlugins: gameDatabaseAuth(servers.ssl),
      database: this.settings.current.game_database.pattern.replace('{server_id}', String(id)),
    };
  }

  /** Keyed by the resolved target, so that an edited server is read at its new place at once. */
  private open(target: ConnectionOptions): MysqlPool {
    const key = [target.host, target.port, target.database, target.user].join(' ');
    const known = this.pools.get(key);
    if (known) return known;
    const pool = new MysqlPool(
      { ...target, charset: 'utf8mb4', supportBigNumbers: true },
      {
        connections: CONNECTIONS_PER_SERVER,
        writes: 0,
        locks: 0,
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
        prepare: prepareReadOnlySession,
      },
    );
    this.pools.set(key, pool);
    return pool;
  }
}

async function prepareReadOnlySession(connection: Connection): Promise<void> {
  await prepareSession(connection);
  connection.query('SET SESSION TRANSACTION READ ONLY', () => undefined);
}
