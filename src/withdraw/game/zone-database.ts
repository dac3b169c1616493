import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'mysql2';
import { nameInGame } from '../../auth/account-name.js';
import { Environment } from '../../config/environment.js';
import { Settings } from '../../config/settings.js';
import { BoundedMysql } from '../../database/bounded-mysql.js';
import { GameServerUnavailable } from '../withdraw.errors.js';
import { type GameOwner, isOneSpelling, isOwnName } from './game-account.js';
import { MOST_SPELLINGS, type RoleQueries, roleQueries, type RoleQuery } from './role-queries.js';
import type { WithdrawalZone } from './withdrawal-zones.js';
import { ZoneFailures } from './zone-failures.js';

const CONNECTIONS_PER_ZONE = 4;
const IDLE_MS = 60_000;
const MOST_TOLD = 1000;

export interface Role {
  id: number;
  name: string;
  level: number;
  balance: number;
}

type Values = Array<string | number>;
type Row = Record<'id' | 'name' | 'account' | 'level' | 'balance' | 'twins', unknown>;

/** The game's own tables of roles, one database per zone. Read only; what is read may change the moment after. */
@Injectable()
export class ZoneDatabase implements OnApplicationShutdown {
  private readonly logger = new Logger(ZoneDatabase.name);
  private readonly told = new Set<string>();
  private readonly pools = new Map<string, { pool: Pool; idle: NodeJS.Timeout }>();

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
    private readonly failures: ZoneFailures,
  ) {}

  onApplicationShutdown(): void {
    for (const key of this.pools.keys()) this.close(key);
  }

  async rolesOf(zone: WithdrawalZone, owner: GameOwner): Promise<Role[]> {
    return this.ownRoles(zone, owner, this.queries().ofAccount, [nameInGame(owner)]);
  }

  /** The role, where it exists and is this player's. */
  async findRole(
    zone: WithdrawalZone,
    roleId: number,
    owner: GameOwner,
  ): Promise<Role | undefined> {
    const values = [roleId, nameInGame(owner)];
    const roles = await this.ownRoles(zone, owner, this.queries().ofAccountAndId, values);
    return roles.find(({ id }) => id === roleId);
  }

  /** Whoever's role it is: for reconciliation, which shows it to nobody but operations. */
  async balanceOf(zone: WithdrawalZone, roleId: number): Promise<number | null> {
    const [row] = await this.read<Row>(zone, this.queries().ofId.exact, [roleId]);
    return row ? whole(row.balance) : null;
  }

  /** A role whose id is no safe integer cannot be named in JSON, and is left out. */
  private async ownRoles(
    zone: WithdrawalZone,
    owner: GameOwner,
    { exact, withTwins }: RoleQuery,
    values: Values,
  ): Promise<Role[]> {
    const isExact = owner.gameAccount !== null;
    const rows = isExact
      ? await this.read<Row>(zone, exact, values)
      : await this.read<Row>(zone, withTwins, [owner.account, ...values]);
    const own = rows.filter(
      ({ id, account }) => isOwnName(account, owner) && Number.isSafeInteger(Number(id)),
    );
    const isOne =
      isExact ||
      own.every(({ twins }) => Number(twins) === 0) ||
      (await this.hasOneSpelling(zone, owner.account));
    if (isOne) return own.map(toRole);
    this.tellOfTwins(zone, owner.account);
    return [];
  }

  private async hasOneSpelling(zone: WithdrawalZone, account: string): Promise<boolean> {
    const rows = await this.read<{ name: string }>(zone, this.queries().spellings, [account]);
    if (rows.length === MOST_SPELLINGS) return false;
    return isOneSpelling([...new Set(rows.map(({ name }) => name))]);
  }

  private queries(): RoleQueries {
    return roleQueries(this.settings.current.game_database);
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

  private async read<T>(zone: WithdrawalZone, sql: string, values: Values): Promise<T[]> {
    try {
      return (await this.query(this.poolOf(zone), sql, values)) as T[];
    } catch (error) {
      this.failures.count(zone.id, 'database');
      const { code, message } = error as NodeJS.ErrnoException;
      throw new GameServerUnavailable(
        `the database of zone ${zone.id} cannot be read: ${message || code}`,
      );
    }
  }

  private query(pool: Pool, sql: string, values: Values): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      pool.getConnection((refused, connection) => {
        if (refused) return reject(refused);
        connection.query(sql, values, (error, rows) => {
          connection.release();
          if (error) reject(error);
          else resolve(rows as unknown[]);
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
