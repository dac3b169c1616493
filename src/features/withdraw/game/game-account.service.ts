import { Injectable, Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { DataSource, IsNull } from 'typeorm';
import { Player } from '../../../platform/auth/player.entity.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { RowQueue } from '../../../platform/database/row-queue.js';
import { GameDatabase, MAX_SPELLINGS } from './game-database.js';
import { type WithdrawalServer, WithdrawalServers } from './withdrawal-servers.js';

const MAX_REPORTED = 1000;
const SERVERS_AT_ONCE = 8;

export interface RoleOwner {
  id: number;
  account: string;
  /** This is the exact name in the game's tables, or null until the name is first needed. */
  gameAccount: string | null;
}

/**
 * Finds a player's exact name in the game's tables and stores it in `player.game_account` when it is first needed. A
 * unique key ensures that a name, and thus its roles, belongs to only one player.
 */
@Injectable()
export class GameAccountService {
  private readonly logger = new Logger(GameAccountService.name);
  private readonly reported = new Set<string>();
  private readonly limit = pLimit(SERVERS_AT_ONCE);

  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly servers: WithdrawalServers,
    private readonly gameDatabase: GameDatabase,
  ) {}

  /** Returns undefined if the player has no role yet, or if an operator must choose the player's name. */
  async find(server: WithdrawalServer, owner: RoleOwner): Promise<string | undefined> {
    if (owner.gameAccount) return owner.gameAccount;
    const { account } = owner;
    let names = possibleGameNames(account, [await this.gameDatabase.spellingsOf(server, account)]);
    // Other servers may spell the name differently, and the stored name is permanent, so all servers are read.
    if (names.length === 1 && names[0] !== account) names = await this.findOnAllServers(account);
    const [name, ...others] = names;
    if (name === undefined) return undefined;
    if (others.length === 0) return this.pin(owner, name);
    this.report(
      `the game's tables spell the account ${account} in more than one way (${names.join(' | ')})`,
    );
    return undefined;
  }

  /** Returns all names that may belong to the account. Throws if a server cannot be read. */
  async findOnAllServers(account: string): Promise<string[]> {
    const ids = await this.servers.findMonitoredIds();
    const spellings = await this.limit.map(ids, async (id) => {
      const server = await this.servers.findForOrder(id);
      return server ? this.gameDatabase.spellingsOf(server, account) : [];
    });
    return possibleGameNames(account, spellings);
  }

  private async pin({ id, account }: RoleOwner, name: string): Promise<string | undefined> {
    try {
      const undecided = { id, account, gameAccount: IsNull() };
      await this.rowQueue.run(`player ${id}`, () =>
        this.dataSource.manager.update(Player, undecided, { gameAccount: name }),
      );
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      this.report(
        `the game's table spells the account ${account} as ${name}, which is the game_account of another player`,
      );
      return undefined;
    }
    // Another request or an operator may have stored a name first.
    const player = await this.dataSource.manager.findOneBy(Player, { id });
    return player?.gameAccount || undefined;
  }

  private report(problem: string): void {
    if (this.reported.has(problem)) return;
    if (this.reported.size >= MAX_REPORTED) this.reported.clear();
    this.reported.add(problem);
    this.logger.error(
      `${problem}; the player gets no roles until an operator sets player.game_account`,
    );
  }
}

/**
 * Returns the names that may belong to the account, among the names that a server's collation considers equal. If there
 * are several, an operator must choose, because a name that differs in case may belong to another player.
 */
export function possibleGameNames(account: string, spellings: string[][]): string[] {
  const names = [...new Set(spellings.flat())];
  // A server that returns the maximum number of names may have more.
  const isComplete = spellings.every(({ length }) => length < MAX_SPELLINGS);
  const own = names.filter((name) => isSameIgnoringCase(name, account));
  const isExact = own.length === 1 && own[0] === account && isComplete;
  return isExact || own.length === 0 ? own : names;
}

/** Ignores only ASCII case, unlike the game's collation, which may also ignore accents and trailing spaces. */
export function isSameIgnoringCase(one: string, other: string): boolean {
  return lowerAscii(one) === lowerAscii(other);
}

function lowerAscii(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
