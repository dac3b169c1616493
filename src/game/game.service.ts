import { Injectable } from '@nestjs/common';
import type { PlayerIdentity } from '../auth/identity.service.js';
import { ZonesService } from '../zones/zones.service.js';
import { type EnterGameView, toEnterGameView } from './enter-game.view.js';
import { type EnteredZonesView, toEnteredZonesView } from './entered-zones.view.js';
import { Entries } from './entries.js';

@Injectable()
export class GameService {
  constructor(
    private readonly zones: ZonesService,
    private readonly entries: Entries,
  ) {}

  /** Lets a player into a zone and records the entry. */
  async enter(player: PlayerIdentity, serverId: number, address: string): Promise<EnterGameView> {
    const zone = await this.zones.getEnterable(serverId);
    await this.entries.add(player.id, zone.id, address);
    return toEnterGameView(player, zone);
  }

  async entered(playerId: number): Promise<EnteredZonesView> {
    return toEnteredZonesView(await this.entries.latestOf(playerId));
  }
}
