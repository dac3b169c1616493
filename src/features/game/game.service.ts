import { Injectable } from '@nestjs/common';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { TokenService } from '../../platform/auth/token.service.js';
import { ServersService } from '../servers/servers.service.js';
import { type EnterGameView, toEnterGameView } from './enter-game.view.js';
import { type ServerVisitsView, toServerVisitsView } from './server-visits.view.js';
import { ServerVisits } from './server-visits.js';

@Injectable()
export class GameService {
  constructor(
    private readonly servers: ServersService,
    private readonly visits: ServerVisits,
    private readonly tokens: TokenService,
  ) {}

  /** Lets a player into a server and records the entry. */
  async enter(player: PlayerIdentity, serverId: number, address: string): Promise<EnterGameView> {
    const server = await this.servers.getEnterable(serverId);
    await this.visits.record(player.id, server.id, address);
    return toEnterGameView(player, this.tokens.signForGame(player), server);
  }

  async visitedServers(playerId: number): Promise<ServerVisitsView> {
    return toServerVisitsView(await this.visits.findLatest(playerId));
  }
}
