import { Injectable, Logger } from '@nestjs/common';
import { nameInGame } from '../../auth/account-name.js';
import { Settings } from '../../config/settings.js';
import { GameServerUnavailable } from '../withdraw.errors.js';
import { differByMoreThanCase, type GameOwner, isOwnName } from './game-account.js';
import { MOST_SPELLINGS, type RoleQueries, roleQueries, type RoleQuery } from './role-queries.js';
import type { WithdrawalZone } from './withdrawal-zones.js';
import { type Row, type Select, ZoneConnections } from './zone-connections.js';
import { ZoneFailures } from './zone-failures.js';

const MOST_WARNED = 1000;

export interface Role {
  id: number;
  name: string;
  /** As the game's table writes it. */
  account: string;
  level: number;
  balance: number;
}

/** The game's own tables of roles, one database per zone. Read only; what is read may change the moment after. */
@Injectable()
export class ZoneDatabase {
  private readonly logger = new Logger(ZoneDatabase.name);
  private readonly warnedOf = new Set<string>();

  constructor(
    private readonly connections: ZoneConnections,
    private readonly settings: Settings,
    private readonly failures: ZoneFailures,
  ) {}

  async rolesOf(zone: WithdrawalZone, owner: GameOwner): Promise<Role[]> {
    const asked = ofOwner(owner, this.queries().ofAccount, [nameInGame(owner)]);
    return this.ownRoles(zone, owner, await this.read(zone, asked));
  }

  /** The role, where it exists and is this player's. */
  async findRole(
    zone: WithdrawalZone,
    roleId: number,
    owner: GameOwner,
  ): Promise<Role | undefined> {
    const asked = ofOwner(owner, this.queries().ofAccountAndId, [roleId, nameInGame(owner)]);
    const rows = await this.orUnavailable(zone, this.connections.readBatched(zone, asked));
    const roles = await this.ownRoles(zone, owner, rows);
    return roles.find(({ id }) => id === roleId);
  }

  /** Whoever's role it is: for reconciliation, which shows it to nobody but operations. */
  async balanceOf(zone: WithdrawalZone, roleId: number): Promise<number | null> {
    const [row] = await this.read(zone, { select: this.queries().ofId, values: [roleId] });
    return row ? whole(row.balance) : null;
  }

  /** A role whose id is no safe integer cannot be named in JSON, and is left out. */
  private async ownRoles(zone: WithdrawalZone, owner: GameOwner, rows: Row[]): Promise<Role[]> {
    const own = rows.filter(
      ({ id, account }) => isOwnName(account, owner) && Number.isSafeInteger(Number(id)),
    );
    const isOne =
      own.every(({ twins }) => Number(twins) === 0) ||
      // In another case than the account's, it may be anybody's of those that the game's collation takes for it.
      (own.every(({ account }) => account === owner.account) &&
        (await this.hasNoOtherCase(zone, owner.account)));
    if (isOne) return own.map(toRole);
    this.warnOfTwins(zone, owner.account);
    return [];
  }

  private async hasNoOtherCase(zone: WithdrawalZone, account: string): Promise<boolean> {
    const rows = await this.read(zone, { select: this.queries().spellings, values: [account] });
    if (rows.length === MOST_SPELLINGS) return false;
    return differByMoreThanCase([...new Set(rows.map(({ name }) => String(name)))]);
  }

  private queries(): RoleQueries {
    return roleQueries(this.settings.current.game_database);
  }

  private warnOfTwins({ id }: WithdrawalZone, account: string): void {
    const twins = `zone ${id}: the game's table spells the account ${account} in more than one way`;
    if (this.warnedOf.has(twins)) return;
    if (this.warnedOf.size >= MOST_WARNED) this.warnedOf.clear();
    this.warnedOf.add(twins);
    this.logger.error(
      `${twins}; nobody gets its roles until player.game_account says whose is which`,
    );
  }

  private read(zone: WithdrawalZone, asked: Select): Promise<Row[]> {
    return this.orUnavailable(zone, this.connections.read(zone, asked));
  }

  private async orUnavailable({ id }: WithdrawalZone, rows: Promise<Row[]>): Promise<Row[]> {
    try {
      return await rows;
    } catch (error) {
      this.failures.count(id, 'database');
      const { code, message } = error as NodeJS.ErrnoException;
      throw new GameServerUnavailable(
        `the database of zone ${id} cannot be read: ${message || code}`,
      );
    }
  }
}

/** A name that is not exact is looked for in other spellings, too. */
function ofOwner(
  { account, gameAccount }: GameOwner,
  { exact, withTwins }: RoleQuery,
  values: Select['values'],
): Select {
  return gameAccount === null
    ? { select: withTwins, values: [account, ...values] }
    : { select: exact, values };
}

function toRole({ id, name, account, level, balance }: Row): Role {
  return {
    id: Number(id),
    name: String(name),
    account: String(account),
    level: Number(level),
    balance: whole(balance),
  };
}

function whole(value: unknown): number {
  return Math.max(0, Math.min(Math.trunc(Number(value)) || 0, Number.MAX_SAFE_INTEGER));
}
