import { Injectable } from '@nestjs/common';
import type { Player } from '../../auth/player.entity.js';
import { Environment } from '../../config/environment.js';
import { ActRefused } from '../../journal/act-refused.js';
import { isOwnName } from '../../withdraw/game/game-account.js';
import { WithdrawalZones } from '../../withdraw/game/withdrawal-zones.js';
import { ZoneDatabase } from '../../withdraw/game/zone-database.js';

const AT_ONCE = 8;

/** Only a person can tell how the game writes the name. Each caller has a way of its own to say it. */
export class SpellingUnknown extends ActRefused {}

/**
 * How the game's tables write an account. Without a `game_account` it is found there in any case; as `game_account` it
 * has to be the same byte by byte.
 */
@Injectable()
export class GameSpelling {
  constructor(
    private readonly environment: Environment,
    private readonly zones: WithdrawalZones,
    private readonly zoneDatabase: ZoneDatabase,
  ) {}

  /** As the zones have it, or as it was given; the account's own spelling where no zone has a role of it. */
  async of(player: Player, given?: string): Promise<string> {
    const { account, gameAccount } = player;
    if (gameAccount !== null) return gameAccount;
    if (given !== undefined) {
      if (isOwnName(given, player)) return given;
      throw new ActRefused(`${given} is not how the game could write ${account}`);
    }
    // Without it no zone can be read, by anybody.
    if (!this.environment.gameServers) return account;
    const found = await this.spellings(player);
    if (found.length <= 1) return found[0] ?? account;
    throw new SpellingUnknown(
      `the zones write the name of its roles as ${found.join(', ')}, and it can keep one of them: say which`,
    );
  }

  private async spellings(player: Player): Promise<string[]> {
    const ids = await this.zones.watched();
    const names = new Set<string>();
    const next = async (): Promise<void> => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift())
        for (const name of await this.inZone(id, player)) names.add(name);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    return [...names];
  }

  private async inZone(id: number, player: Player): Promise<string[]> {
    const zone = await this.zones.ofOrder(id);
    try {
      const roles = zone ? await this.zoneDatabase.rolesOf(zone, player) : [];
      return roles.map(({ account }) => account);
    } catch (error) {
      throw new SpellingUnknown(
        `the database of zone ${id} cannot be read, and may write the name in another way: bring it back, or say which`,
        { cause: error },
      );
    }
  }
}
