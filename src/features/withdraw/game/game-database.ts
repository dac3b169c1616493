import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  escapeId,
  type Connection,
  type ConnectionOptions,
  type AuthPlugin,
  authPlugins,
} from 'mysql2';
import type { DatabaseTarget, DatabaseTls } from '../../../platform/config/database-url.js';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { prepareSession } from '../../../platform/database/mysql-connection.js';
import { MysqlPool } from '../../../platform/database/mysql-pool.js';
import { STATEMENT_TIMEOUT_MS } from '../../../platform/database/time-limits.js';
import {
  gameHostProblem,
  ownEndpointProblem,
} from '../../../platform/http/request/endpoint-problem.js';
import { GameServerUnavailable } from '../record/withdraw.errors.js';
import { ServerFailureMetrics, type WithdrawalServer } from './withdrawal-servers.js';

const CONNECTIONS_PER_SERVER = 4;

const MAX_ROLES = 100;
const ROLES_PER_BATCH = 5000;
/** A legitimate name never has this many spellings. */
export const MAX_SPELLINGS = 10;
// The server sends this packet to request the password itself.
const FULL_AUTHENTICATION = 4;

const NOT_REPRESENTABLE = new Set<unknown>([
  1267, // ER_CANT_AGGREGATE_2COLLATIONS
  3854, // MySQL reports ER_CANNOT_CONVERT_STRING.
]);

type Row = Record<string, unknown>;

interface AccountRow {
  id: number | string;
  account: string | null;
}

export interface GameRole {
  id: number;
  name: string;
  level: number;
  balance: number;
}

/** Opens connections to the game servers' databases on demand. The pools close idle connections. */
@Injectable()
export class GameDatabasePools implements OnApplicationShutdown {
  private readonly pools = new Map<string, MysqlPool>();
  // The URL is parsed once, because parsing reads the certificate files.
  private readonly servers: DatabaseTarget | undefined;

  constructor(
    private readonly environment: Environment,
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
    const settings = this.settings.current;
    const target = { host: dbHost ?? host, port: dbPort ?? port };
    const problem =
      ownEndpointProblem(target, this.environment, settings) ??
      (dbHost ? gameHostProblem(dbHost, settings.game_hosts) : undefined);
    if (problem) throw new Error(`its db_host ${problem}`);
    return {
      ...target,
      user: servers.user,
      password: servers.password,
      ssl: servers.ssl,
      authPlugins: gameDatabaseAuth(servers.ssl),
      database: settings.game_database.pattern.replace('{server_id}', String(id)),
    };
  }

  /**
   * Returns the pool for the target. An edited server has a different target, so it is read at its new address
   * immediately.
   */
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

/**
 * Allows only challenge-response authentication if TLS does not verify the game database. Otherwise a fake server could
 * obtain the password, either in clear text or encrypted with the fake server's own key. mysql2 itself rejects
 * `mysql_clear_password`.
 */
function gameDatabaseAuth(ssl?: DatabaseTls): Record<string, AuthPlugin> | undefined {
  if (ssl?.rejectUnauthorized) return undefined;
  return {
    sha256_password: () => () => refuse('sha256_password'),
    caching_sha2_password: (metadata) => {
      const respond = authPlugins.caching_sha2_password()(metadata);
      return (data) =>
        data.length === 1 && data[0] === FULL_AUTHENTICATION
          ? refuse('caching_sha2_password')
          : respond(data);
    },
  };
}

function refuse(plugin: string): never {
  throw new Error(
    `the database asks for the password itself (${plugin}), but TLS does not verify it: set ssl-ca in GAME_DATABASE_URL`,
  );
}

/** Reads the game's own role tables, one database per server. The data may change right after it is read. */
@Injectable()
export class GameDatabase {
  constructor(
    private readonly pools: GameDatabasePools,
    private readonly settings: Settings,
    private readonly failures: ServerFailureMetrics,
  ) {}

  async rolesOf(server: WithdrawalServer, gameAccount: string): Promise<GameRole[]> {
    const rows = await this.read(server, this.queries().byAccount, [gameAccount]);
    return toRoles(rows, gameAccount);
  }

  async findRole(
    server: WithdrawalServer,
    roleId: number,
    gameAccount: string,
  ): Promise<GameRole | undefined> {
    const rows = await this.read(server, this.queries().byAccountAndId, [roleId, gameAccount]);
    return toRoles(rows, gameAccount).find(({ id }) => id === roleId);
  }

  /** Returns the exact names that the game's collation considers equal to the account's name. */
  async spellingsOf(server: WithdrawalServer, account: string): Promise<string[]> {
    const rows = await this.read(server, this.queries().spellings, [account]);
    return rows.map((row) => String(row.account));
  }

  /** Streams the account names of all roles in batches, ordered by role. A name may occur in several batches. */
  async *accountNames(server: WithdrawalServer): AsyncGenerator<string[]> {
    const { firstAccounts, nextAccounts } = this.queries();
    let rows = (await this.read(server, firstAccounts, [])) as unknown as AccountRow[];
    for (let last = rows.at(-1); last; last = rows.at(-1)) {
      const names = new Set(rows.flatMap(({ account }) => account ?? []));
      yield [...names].filter((name) => name.trim() !== '');
      rows = (await this.read(server, nextAccounts, [last.id])) as unknown as AccountRow[];
    }
  }

  /** Reads a role's balance without checking the owner, for operators only. */
  async balanceOf(server: WithdrawalServer, roleId: number): Promise<number | null> {
    const [row] = await this.read(server, this.queries().byId, [roleId]);
    return row ? toWholeNumber(row.balance) : null;
  }

  private queries() {
    return roleQueries(this.settings.current.game_database);
  }

  private async read(
    server: WithdrawalServer,
    sql: string,
    values: Array<string | number>,
  ): Promise<Row[]> {
    try {
      return await this.pools.read(server, sql, values);
    } catch (error) {
      const { code, message, errno } = error as NodeJS.ErrnoException;
      // The column's character set lacks a character of the name, so no role has this name.
      if (NOT_REPRESENTABLE.has(errno)) return [];
      this.failures.count(server.id, 'database');
      throw new GameServerUnavailable(
        `the database of server ${server.id} cannot be read: ${message || code}`,
      );
    }
  }
}

/** Omits roles whose account matches only under the game's collation or whose id JSON cannot represent. */
function toRoles(rows: Row[], gameAccount: string): GameRole[] {
  return rows
    .filter(({ id, account }) => account === gameAccount && Number.isSafeInteger(Number(id)))
    .map(({ id, name, level, balance }) => ({
      id: Number(id),
      name: String(name),
      level: Number(level),
      balance: toWholeNumber(balance),
    }));
}

function toWholeNumber(value: unknown): number {
  return Math.max(0, Math.min(Math.trunc(Number(value)) || 0, Number.MAX_SAFE_INTEGER));
}

function roleQueries({ table: name, columns }: Settings['current']['game_database']) {
  const [table, account, id] = [name, columns.account, columns.role_id].map((one) => escapeId(one));
  const roles = `SELECT ${id} AS id, ${escapeId(columns.role_name)} AS name, ${account} AS account,
    ${escapeId(columns.level)} AS level, ${escapeId(columns.balance)} AS balance FROM ${table}`;
  const accounts = `SELECT ${id} AS id, ${account} AS account FROM ${table}`;
  const order = `ORDER BY ${id} LIMIT ${ROLES_PER_BATCH}`;
  return {
    firstAccounts: `${accounts} ${order}`,
    nextAccounts: `${accounts} WHERE ${id} > ? ${order}`,
    byId: `${roles} WHERE ${id} = ? LIMIT 1`,
    byAccount: `${roles} WHERE ${account} = ? ORDER BY ${id} LIMIT ${MAX_ROLES}`,
    byAccountAndId: `${roles} WHERE ${id} = ? AND ${account} = ?`,
    // DISTINCT over the name alone would use the game's collation.
    spellings: `SELECT DISTINCT HEX(${account}) AS bytes, ${account} AS account FROM ${table}
      WHERE ${account} = ? LIMIT ${MAX_SPELLINGS}`,
  };
}
