import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import type { Player } from '../../../platform/auth/player.entity.js';
import { Environment } from '../../../platform/config/environment.js';
import { ActionRefused } from '../action-refused.js';
import { isSameIgnoringCase } from '../../../features/withdraw/game/game-account.js';
import { WithdrawalServers } from '../../../features/withdraw/game/withdrawal-servers.js';
import { GameDatabase } from '../../../features/withdraw/game/game-database.js';

const CONCURRENCY = 8;

/** Only a person can tell how the game writes the name. Each caller has a way of its own to say it. */
export class GameNameAmbiguous extends ActionRefused {}

/** How the game's tables write the account of a player who is about to be renamed, for his `game_account`. */
@Injectable()
export class GameNameResolver {
  constructor(
    private readonly environment: Environment,
    private readonly servers: WithdrawalServers,
    private readonly gameDatabase: GameDatabase,
  ) {}

  /** As the servers have it, or as it was given; the account's own spelling where no server has a role of it. */
  async resolve(player: Player, given?: string): Promise<string> {
    const { account, gameAccount } = player;
    if (gameAccount) return gameAccount;
    if (given !== undefined) {
      if (isSameIgnoringCase(given, account)) return given;
      throw new ActionRefused(`${given} is not how the game could write ${account}`);
    }
    // Without it no server can be read, by anybody.
    if (!this.environment.gameDatabase) return account;
    const found = await this.findGameNames(account);
    if (found.length <= 1) return found[0] ?? account;
    throw new GameNameAmbiguous(
      `the servers write the name of its roles as ${found.join(', ')}, and it can keep one of them: say which`,
    );
  }

  private async findGameNames(account: string): Promise<string[]> {
    const ids = await this.servers.findMonitoredIds();
    const names = await pLimit(CONCURRENCY).map(ids, (id) => this.gameNamesOnServer(id, account));
    return [...new Set(names.flat())];
  }

  private async gameNamesOnServer(id: number, account: string): Promise<string[]> {
    const server = await this.servers.findForOrder(id);
    try {
      const spellings = server ? await this.gameDatabase.spellingsOf(server, account) : [];
      return spellings.filter((name) => isSameIgnoringCase(name, account));
    } catch (error) {
      throw new GameNameAmbiguous(
        `the database of server ${id} cannot be read, and may write the name in another way: bring it back, or say which`,
        { cause: error },
      );
    }
  }
}
