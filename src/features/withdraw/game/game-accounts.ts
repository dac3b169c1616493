import { Injectable, Logger } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { Player } from '../../../platform/auth/player.entity.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { RowQueue } from '../../../platform/database/row-queue.js';
import { isSameIgnoringCase, type RoleOwner } from './game-account.js';
import { GameDatabase } from './game-database.js';
import { MAX_SPELLINGS } from './role-queries.js';
import type { WithdrawalServer } from './withdrawal-servers.js';

const MAX_REPORTED = 1000;

/**
 * The exact name of each player in the game's tables, `player.game_account`. It is stored when it is first needed; a
 * unique key gives a name, and with it the roles, to one player.
 */
@Injectable()
export class GameAccounts {
  private readonly logger = new Logger(GameAccounts.name);
  private readonly reported = new Set<string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly gameDatabase: GameDatabase,
  ) {}

  /** Undefined where the player has no role yet, or where an operator must decide which name is his. */
  async resolve(server: WithdrawalServer, owner: RoleOwner): Promise<string | undefined> {
    if (owner.gameAccount) return owner.gameAccount;
    const { account } = owner;
    const spellings = await this.gameDatabase.spellingsOf(server, account);
    const [name, ...others] = spellings.filter((each) => isSameIgnoringCase(each, account));
    if (name === undefined) return undefined;
    // In another case than the account's, it may belong to any name that the game's collation takes for the same.
    const isExact = name === account && others.length === 0 && spellings.length < MAX_SPELLINGS;
    if (isExact || spellings.length === 1) return this.pin(owner, name);
    this.report(
      `server ${server.id}: the game's table spells the account ${account} in more than one way (${spellings.join(' | ')})`,
    );
    return undefined;
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
    // Another request, or a person, may have been first.
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
