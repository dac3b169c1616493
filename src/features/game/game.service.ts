import { Injectable } from '@nestjs/common';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { gameNameOf } from '../../platform/auth/account-name.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { TokenService } from '../../platform/auth/token.service.js';
import { ServerView } from '../servers/server.view.js';
import { ServersService } from '../servers/servers.service.js';
import { ServerVisits } from './server-visits.js';

class EnteredServerView extends PickType(ServerView, ['id', 'name', 'address', 'port', 'status']) {}

export class EnterGameView {
  @ApiProperty({ example: 'alice', description: 'the name under which the game knows the player' })
  account: string;
  @ApiProperty({ description: 'for the game client; only `/api/check` accepts it' })
  token: string;
  @ApiProperty({ type: EnteredServerView }) server: EnteredServerView;
}

class ServerVisitView {
  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'the server, which may be closed by now',
  })
  id: number;
  @ApiProperty({ format: 'date-time', description: 'the time of the last entry' })
  entered_at: string;
  @ApiProperty({ type: 'integer', example: 12 }) enter_count: number;
}

export class ServerVisitsView {
  @ApiProperty({ type: [ServerVisitView] }) servers: ServerVisitView[];
}

@Injectable()
export class GameService {
  constructor(
    private readonly servers: ServersService,
    private readonly visits: ServerVisits,
    private readonly tokens: TokenService,
  ) {}

  async enter(
    player: PlayerIdentity,
    serverId: number,
    context: RequestContext,
  ): Promise<EnterGameView> {
    const { id, name, address, port, status } = await this.servers.getEnterable(serverId);
    await this.visits.record(player.id, id, context);
    const token = this.tokens.signForGame(player);
    return { account: gameNameOf(player), token, server: { id, name, address, port, status } };
  }

  async visitedServers(playerId: number): Promise<ServerVisitsView> {
    const visits = await this.visits.findLatest(playerId);
    return {
      servers: visits.map(({ serverId, enteredAt, enterCount }) => ({
        id: serverId,
        entered_at: enteredAt.toISOString(),
        enter_count: enterCount,
      })),
    };
  }
}
