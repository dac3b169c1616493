import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { escapeId, type Pool } from 'mysql2';
import { nameInGame } from '../../auth/account-name.js';
import { Environment } from '../../config/environment.js';
import { Settings } from '../../config/settings.js';
import { BoundedMysql } from '../../database/bounded-mysql.js';
import { GameServerUnavailable } from '../withdraw.errors.js';
import { type GameOwner, isOneSpelling, isOwnName } from './game-account.js';
import type { WithdrawalZone } from './withdrawal-zones.js';

const CONNECTIONS_PER_ZONE = 4;
const IDLE_MS = 60_000;
const MOST_ROLES = 100;
const MOST_TOLD = 1000;

export interface Role {
  id: number;
  name: string;
  level: number;
  balance: number;
}

type Row = Record<'id' | 'name' | 'account' | 'level' | 'balance' | 'spellings', unknown>;

/** The game's own tables of roles, one database per zone. Read only; what is read may change the moment after. */
@Injectable()
export class ZoneDatabase implements OnApplicationShutdown {
  private readonly logger = new Logger(ZoneDatabase.name);
  private readonly told = new Set<string>();
  private readonly pools = new Map<string, { pool: Pool; idle: NodeJS.Timeout }>();

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  onApplicationShutdown(): void {
    for (const key of this.pools.keys()) this.close(key);
  }

  async rolesOf(zone: WithdrawalZone, owner: GameOwner): Promise<Role[]> {
    const { columns } = this.settings.current.game_database;
    const condition = `${escapeId(columns.account)} = ?`;
    return this.ownRoles(zone, owner, condition, [nameInGame(owner)]);
  }

  /** The role, where it exists and is this player's. */
  async findRole(
    zone: WithdrawalZone,
    roleId: number,
    owner: GameOwner,
  ): Promise<Role | undefined> {
    const { columns } = this.settings.current.game_database;
    // By the name too: where the game's collation tells case apart, a role by its id alone may be another's.
    const condition = `${escapeId(columns.role_id)} = ? AND ${escapeId(columns.account)} = ?`;
    const roles = await this.ownRoles(zone, owner, condition, [roleId, nameInGame(owner)]);
    return roles.find(({ id }) => id === roleId);
  }

  /** Whoever's role it is: for reconciliation, which shows it to nobody but operations. */
  async balanceOf(zone: WithdrawalZone, roleId: number): Promise<number | null> {
    const { columns } = this.settings.current.game_database;
    const [row] = await this.read(zone, `${escapeId(columns.role_id)} = ?`, [roleId]);
    return row ? whole(row.balance) : null;
  }

  /** A role whose id is no safe integer cannot be named in JSON, and is left out. */
  private async ownRoles(
    zone: WithdrawalZone,
    owner: GameOwner,
    condition: string,
    values: Array<string | number>,
  ): Promise<Role[]> {
    const exact = owner.gameAccount !== null;
    const rows = exact
      ? await this.read(zone, condition, values)
      : await this.read(zone, condition, [owner.account, ...values], this.spellings());
    const own = rows.filter(
      ({ id, account }) => isOwnName(account, owner) && Number.isSafeInteger(Number(id)),
    );
    if (exact || own.every(({ spellings }) => isOneSpelling(String(spellings))))
      return own.map(toRole);
    this.tellOfTwins(zone, owner.account);
    return [];
  }

  /** All names that the game's collation takes for the account's, in hexadecimal. */
  private spellings(): string {
    const { table, columns } = this.settings.current.game_database;
    const account = escapeId(columns.account);
    return `, (SELECT GROUP_CONCAT(DISTINCT HEX(${account})) FROM ${escapeId(table)} WHERE ${account} = ?) AS spellings`;
  }

  private tellOfTwins({ id }: WithdrawalZone, account: string): void {
    const twins = `zone ${id}: the game's table spells the account ${account} in more than one way`;
    if (this.told.has(twins)) return;
    if (this.told.size >= MOST_TOLD) this.told.clear();
    this.told.add(twins);
    this.logger.error(
      `${twins}; nobody gets its roles until player.game_account says whose is which`,
    );
  }

  private async read(
    zone: WithdrawalZone,
    condition: string,
    values: Array<string | number>,
    more = '',
  ): Promise<Row[]> {
    const { table, columns } = this.settings.current.game_database;
    const sql =
      `SELECT ${escapeId(columns.role_id)} AS id, ${escapeId(columns.role_name)} AS name, ` +
      `${escapeId(columns.account)} AS account, ${escapeId(columns.level)} AS level, ` +
      `${escapeId(columns.balance)} AS balance${more} ` +
      `FROM ${escapeId(table)} WHERE ${condition} ORDER BY ${escapeId(columns.role_id)} LIMIT ${MOST_ROLES}`;
    try {
      return await this.query(this.poolOf(zone), sql, values);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new GameServerUnavailable(
        `the database of zone ${zone.id} cannot be read: ${message || code}`,
      );
    }
  }

  private query(pool: Pool, sql: string, values: Array<string | number>): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      pool.getConnection((refused, connection) => {
        if (refused) return reject(refused);
        connection.query(sql, values, (error, rows) => {
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

function toRole({ id, name, level, balance }: Row): Role {
  return { id: Number(id), name: String(name), level: Number(level), balance: whole(balance) };
}

function whole(value: unknown): number {
  return Math.max(0, Math.min(Math.trunc(Number(value)) || 0, Number.MAX_SAFE_INTEGER));
}
