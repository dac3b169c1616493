import { Injectable, Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { DataSource, IsNull } from 'typeorm';
import { Player } from '../../../platform/auth/player.entity.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { RowQueue } from '../../../platform/database/row-queue.js';
import { GameDatabase } from './game-database.js';
import { possibleGameNames } from './game-name.js';
import { type WithdrawalServer, WithdrawalServers } from './withdrawal-servers.js';

const MAX_REPORTED = 1000;
const SERVERS_AT_ONCE = 8;

/** A player whose roles are requested. */
export interface RoleOwner {
  id: number;
  account: string;
  /** The exact name in the game's tables; null until it is first needed. */
  gameAccount: string | null;
}

/**
 * The exact name of each player in the game's tables, `player.game_account`. It is stored when first needed; a unique
 * key gives a name, and its roles, to one player.
 */
@Injectable()
export class PinnedGameNames {
  private readonly logger = new Logger(PinnedGameNames.name);
  private readonly reported = new Set<string>();
  private readonly limit = pLimit(SERVERS_AT_ONCE);

  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly servers: WithdrawalServers,
    private readonly gameDatabase: GameDatabase,
  ) {}

  /** Undefined if the player has no role yet, or an operator must decide which name belongs to the player. */
  async find(server: WithdrawalServer, owner: RoleOwner): Promise<string | undefined> {
    if (owner.gameAccount) return owner.gameAccount;
    const { account } = owner;
    let names = possibleGameNames(account, [await this.gameDatabase.spellingsOf(server, account)]);
    // Stored permanently: another server may use another spelling.
    if (names.length === 1 && names[0] !== account) names = await this.findOnAllServers(account);
    const [name, ...others] = names;
    if (name === undefined) return undefined;
    if (others.length === 0) return this.pin(owner, name);
    this.report(
      `the game's tables spell the account ${account} in more than one way (${names.join(' | ')})`,
    );
    return undefined;
  }

  /** The names that may be the account's: one, none yet, or several. Throws if a server cannot be read. */
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
    // Another request or a person may have been first.
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
