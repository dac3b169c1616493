import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { GameServerUnavailable } from '../withdraw.errors.js';
import { type Row, GameDatabasePools } from './game-database-pools.js';
import { roleQueries } from './role-queries.js';
import { ServerFailureMetrics } from './server-failure-metrics.js';
import type { WithdrawalServer } from './withdrawal-servers.js';

export interface GameRole {
  id: number;
  name: string;
  level: number;
  balance: number;
}

/** The game's own tables of roles, one database per server. Read only; the data may change right after it is read. */
@Injectable()
export class GameDatabase {
  constructor(
    private readonly pools: GameDatabasePools,
    private readonly settings: Settings,
    private readonly failures: ServerFailureMetrics,
  ) {}

  /** The roles whose account is exactly `gameAccount`. */
  async rolesOf(server: WithdrawalServer, gameAccount: string): Promise<GameRole[]> {
    const rows = await this.read(server, this.queries().byAccount, [gameAccount]);
    return toRoles(rows, gameAccount);
  }

  /** The role, if it exists and its account is exactly `gameAccount`. */
  async findRole(
    server: WithdrawalServer,
    roleId: number,
    gameAccount: string,
  ): Promise<GameRole | undefined> {
    const rows = await this.read(server, this.queries().byAccountAndId, [roleId, gameAccount]);
    return toRoles(rows, gameAccount).find(({ id }) => id === roleId);
  }

  /** The exact names that the game's collation considers equal to the account. */
  async spellingsOf(server: WithdrawalServer, account: string): Promise<string[]> {
    const rows = await this.read(server, this.queries().spellings, [account]);
    return rows.map((row) => String(row.account));
  }

  /** Any role, whoever owns it: for reconciliation, which only operations sees. */
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
      this.failures.count(server.id, 'database');
      const { code, message } = error as NodeJS.ErrnoException;
      throw new GameServerUnavailable(
        `the database of server ${server.id} cannot be read: ${message || code}`,
      );
    }
  }
}

/** Leaves out accounts that are equal only by the game's collation, and ids that JSON cannot hold. */
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
