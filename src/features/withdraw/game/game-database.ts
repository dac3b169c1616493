import { Injectable, Logger } from '@nestjs/common';
import { gameNameOf } from '../../../platform/auth/account-name.js';
import { Settings } from '../../../platform/config/settings.js';
import { GameServerUnavailable } from '../withdraw.errors.js';
import { differByMoreThanCase, type RoleOwner, isOwnGameName } from './game-account.js';
import { MAX_SPELLINGS, type RoleQueries, roleQueries, type RoleQuery } from './role-queries.js';
import type { WithdrawalServer } from './withdrawal-servers.js';
import { type Row, type SelectQuery, GameDatabasePools } from './game-database-pools.js';
import { ServerFailureMetrics } from './server-failure-metrics.js';

const MAX_WARNED = 1000;

export interface GameRole {
  id: number;
  name: string;
  /** As the game's table writes it. */
  account: string;
  level: number;
  balance: number;
}

/** The game's own tables of roles, one database per server. Read only; what is read may change the moment after. */
@Injectable()
export class GameDatabase {
  private readonly logger = new Logger(GameDatabase.name);
  private readonly warned = new Set<string>();

  constructor(
    private readonly pools: GameDatabasePools,
    private readonly settings: Settings,
    private readonly failures: ServerFailureMetrics,
  ) {}

  async rolesOf(server: WithdrawalServer, owner: RoleOwner): Promise<GameRole[]> {
    const query = selectForOwner(owner, this.queries().byAccount, [gameNameOf(owner)]);
    return this.ownRoles(server, owner, await this.read(server, query));
  }

  /** The role, where it exists and is this player's. */
  async findRole(
    server: WithdrawalServer,
    roleId: number,
    owner: RoleOwner,
  ): Promise<GameRole | undefined> {
    const query = selectForOwner(owner, this.queries().byAccountAndId, [roleId, gameNameOf(owner)]);
    const rows = await this.orThrowUnavailable(server, this.pools.readBatched(server, query));
    const roles = await this.ownRoles(server, owner, rows);
    return roles.find(({ id }) => id === roleId);
  }

  /** Whoever's role it is: for reconciliation, which shows it to nobody but operations. */
  async balanceOf(server: WithdrawalServer, roleId: number): Promise<number | null> {
    const [row] = await this.read(server, { select: this.queries().byId, values: [roleId] });
    return row ? toWholeNumber(row.balance) : null;
  }

  /** A role whose id is no safe integer cannot be named in JSON, and is left out. */
  private async ownRoles(
    server: WithdrawalServer,
    owner: RoleOwner,
    rows: Row[],
  ): Promise<GameRole[]> {
    const own = rows.filter(
      ({ id, account }) => isOwnGameName(account, owner) && Number.isSafeInteger(Number(id)),
    );
    const isOne =
      own.every(({ twins }) => Number(twins) === 0) ||
      // In another case than the account's, it may be anybody's of those that the game's collation takes for it.
      (own.every(({ account }) => account === owner.account) &&
        (await this.hasNoOtherCase(server, owner.account)));
    if (isOne) return own.map(toRole);
    this.warnOfTwins(server, owner.account);
    return [];
  }

  private async hasNoOtherCase(server: WithdrawalServer, account: string): Promise<boolean> {
    const rows = await this.read(server, { select: this.queries().spellings, values: [account] });
    if (rows.length === MAX_SPELLINGS) return false;
    return differByMoreThanCase([...new Set(rows.map(({ name }) => String(name)))]);
  }

  private queries(): RoleQueries {
    return roleQueries(this.settings.current.game_database);
  }

  private warnOfTwins({ id }: WithdrawalServer, account: string): void {
    const twins = `server ${id}: the game's table spells the account ${account} in more than one way`;
    if (this.warned.has(twins)) return;
    if (this.warned.size >= MAX_WARNED) this.warned.clear();
    this.warned.add(twins);
    this.logger.error(
      `${twins}; nobody gets its roles until player.game_account says whose is which`,
    );
  }

  private read(server: WithdrawalServer, query: SelectQuery): Promise<Row[]> {
    return this.orThrowUnavailable(server, this.pools.read(server, query));
  }

  private async orThrowUnavailable({ id }: WithdrawalServer, rows: Promise<Row[]>): Promise<Row[]> {
    try {
      return await rows;
    } catch (error) {
      this.failures.count(id, 'database');
      const { code, message } = error as NodeJS.ErrnoException;
      throw new GameServerUnavailable(
        `the database of server ${id} cannot be read: ${message || code}`,
      );
    }
  }
}

/** A name that is not exact is looked for in other spellings, too. */
function selectForOwner(
  { account, gameAccount }: RoleOwner,
  { exact, withTwins }: RoleQuery,
  values: SelectQuery['values'],
): SelectQuery {
  return gameAccount === null
    ? { select: withTwins, values: [account, ...values] }
    : { select: exact, values };
}

function toRole({ id, name, account, level, balance }: Row): GameRole {
  return {
    id: Number(id),
    name: String(name),
    account: String(account),
    level: Number(level),
    balance: toWholeNumber(balance),
  };
}

function toWholeNumber(value: unknown): number {
  return Math.max(0, Math.min(Math.trunc(Number(value)) || 0, Number.MAX_SAFE_INTEGER));
}
