import { Injectable } from '@nestjs/common';
import type { Player } from '../../../platform/auth/player.entity.js';
import { Environment } from '../../../platform/config/environment.js';
import { ActionRefused } from '../action-refused.js';
import { isSameIgnoringCase } from '../../../features/withdraw/game/game-name.js';
import { PinnedGameNames } from '../../../features/withdraw/game/pinned-game-names.js';
import { GameServerUnavailable } from '../../../features/withdraw/withdraw.errors.js';

/** Only a person can tell how the game spells the name. Each caller has its own way to pass it. */
export class GameNameAmbiguous extends ActionRefused {}

/** How the game's tables spell the account of a player who is about to be renamed, for `game_account`. */
@Injectable()
export class GameNameResolver {
  constructor(
    private readonly environment: Environment,
    private readonly gameNames: PinnedGameNames,
  ) {}

  /** As the servers have it, or as given; the account's own spelling if no server has a role of it. */
  async resolve(player: Player, given?: string): Promise<string> {
    const { account, gameAccount } = player;
    if (gameAccount) return gameAccount;
    if (given !== undefined) {
      if (isSameIgnoringCase(given, account)) return given;
      throw new ActionRefused(`${given} is not how the game could write ${account}`);
    }
    // Without it no server can be read.
    if (!this.environment.gameDatabase) return account;
    const found = await this.findGameNames(account);
    if (found.length <= 1) return found[0] ?? account;
    throw new GameNameAmbiguous(
      `the servers write the name of its roles as ${found.join(', ')}, and it can keep one of them: say which`,
    );
  }

  private async findGameNames(account: string): Promise<string[]> {
    try {
      return await this.gameNames.findOnAllServers(account);
    } catch (error) {
      if (!(error instanceof GameServerUnavailable)) throw error;
      throw new GameNameAmbiguous(
        `${error.reason}; it may write the name in another way: bring it back, or say which`,
        { cause: error },
      );
    }
  }
}
