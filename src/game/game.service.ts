import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PlayerIdentity } from '../auth/identity.service.js';
import { sqlTime } from '../database/sql-time.js';
import { ZonesService } from '../zones/zones.service.js';
import { type EnterGameView, toEnterGameView } from './enter-game.view.js';

const ENTER =
  'UPDATE player SET server_id = ?, ip = ?, entered_at = ?, enter_count = enter_count + 1 WHERE id = ?';

@Injectable()
export class GameService {
  constructor(
    private readonly zones: ZonesService,
    private readonly dataSource: DataSource,
  ) {}

  /** Lets a player into a zone and records the entry in one statement: this is the busiest write. */
  async enter(player: PlayerIdentity, serverId: number, address: string): Promise<EnterGameView> {
    const zone = await this.zones.getEnterable(serverId);
    await this.dataSource.query(ENTER, [zone.id, address, sqlTime(new Date()), player.id]);
    return toEnterGameView(player, zone);
  }
}
