import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { escapeId, type Pool } from 'mysql2';
import { Environment } from '../../config/environment.js';
import { Settings } from '../../config/settings.js';
import { BoundedMysql } from '../../database/bounded-mysql.js';
import { GameServerUnavailable } from '../withdraw.errors.js';
import type { WithdrawalZone } from './withdrawal-zones.js';

const CONNECTIONS_PER_ZONE = 4;
const IDLE_MS = 60_000;
const MOST_ROLES = 100;

export interface Role {
  id: number;
  name: string;
  level: number;
  balance: number;
}

type Row = Record<'id' | 'name' | 'account' | 'level' | 'balance', unknown>;

/**
 * The game's own tables of roles, one database a zone. Read with lone SELECTs, and nothing is assumed of
 * transactions there: what is read may change the moment after.
 */
@Injectable()
export class ZoneDatabase implements OnApplicationShutdown {
  private readonly pools = new Map<string, { pool: Pool; idle: NodeJS.Timeout }>();

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  onApplicationShutdown(): void {
    for (const key of this.pools.keys()) this.close(key);
  }

  async rolesOf(zone: WithdrawalZone, account: string): Promise<Role[]> {
    const { columns } = this.settings.current.game_database;
    const rows = await this.read(zone, `${escapeId(columns.account)} = ?`, account);
    return rows.filter((row) => belongsTo(row, account)).map(toRole);
  }

  /** The role, where it exists and is this account's. */
  async findRole(zone: WithdrawalZone, roleId: number, account: string): Promise<Role | undefined> {
    const { columns } = this.settings.current.game_database;
    const rows = await this.read(zone, `${escapeId(columns.role_id)} = ?`, roleId);
    const roles = rows.filter((row) => belongsTo(row, account)).map(toRole);
    return roles.find(({ id }) => id === roleId);
  }

  /** Whoever's role it is: for reconciliation, which shows it to nobody but operations. */
  async balanceOf(zone: WithdrawalZone, roleId: number): Promise<number | null> {
    const { columns } = this.settings.current.game_database;
    const [row] = await this.read(zone, `${escapeId(columns.role_id)} = ?`, roleId);
    return row ? whole(row.balance) : null;
  }

  private async read(
    zone: WithdrawalZone,
    condition: string,
    value: string | number,
  ): Promise<Row[]> {
    const { table, columns } = this.settings.current.game_database;
    const sql =
      `SELECT ${escapeId(columns.role_id)} AS id, ${escapeId(columns.role_name)} AS name, ` +
      `${escapeId(columns.account)} AS account, ${escapeId(columns.level)} AS level, ` +
      `${escapeId(columns.balance)} AS balance ` +
      `FROM ${escapeId(table)} WHERE ${condition} ORDER BY ${escapeId(columns.role_id)} LIMIT ${MOST_ROLES}`;
    try {
      return await this.query(this.poolOf(zone), sql, value);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new GameServerUnavailable(
        `the database of zone ${zone.id} cannot be read: ${message || code}`,
      );
    }
  }

  private query(pool: Pool, sql: string, value: string | number): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      pool.getConnection((refused, connection) => {
        if (refused) return reject(refused);
        connection.query(sql, [value], (error, rows) => {
          connection.release();
          if (error) reject(error);
          else resolve(rows as unknown as Row[]);
        });
        return undefined;
      });
    });
  }

  private poolOf({ id, dbHost, dbPort }: WithdrawalZone): Pool {
    const database = this.settings.current.game_database.pattern.replace('{server_id}', String(id));
    const key = [database, dbHost, dbPort].join(' ');
    const known = this.pools.get(key);
    known?.idle.refresh();
    if (known) return known.pool;
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
    this.pools.set(key, { pool, idle: setTimeout(() => this.close(key), IDLE_MS).unref() });
    return pool;
  }

  private close(key: string): void {
    const open = this.pools.get(key);
    if (!open) return;
    clearTimeout(open.idle);
    this.pools.delete(key);
    open.pool.end(() => undefined);
  }
}

/**
 * The game's collation may call more names equal than ours does; case is all that may differ. A role whose id is
 * no safe integer cannot be named in JSON, and is left out.
 */
function belongsTo({ id, account }: Row, wanted: string): boolean {
  return (
    typeof account === 'string' &&
    lower(account) === lower(wanted) &&
    Number.isSafeInteger(Number(id))
  );
}

function lower(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function toRole({ id, name, level, balance }: Row): Role {
  return { id: Number(id), name: String(name), level: Number(level), balance: whole(balance) };
}

function whole(value: unknown): number {
  return Math.max(0, Math.min(Math.trunc(Number(value)) || 0, Number.MAX_SAFE_INTEGER));
}
