import { ApiProperty, PickType } from '@nestjs/swagger';
import { gameNameOf } from '../../platform/auth/account-name.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import type { GameServer } from '../servers/game-server.entity.js';
import { ServerView } from '../servers/server.view.js';

class EnteredServerView extends PickType(ServerView, ['id', 'name', 'address', 'port', 'status']) {}

export class EnterGameView {
  @ApiProperty({ example: 'alice', description: 'the name under which the game knows the player' })
  account: string;
  @ApiProperty({ description: 'for the game client to show: only `/api/check` accepts it' })
  token: string;
  @ApiProperty({ type: EnteredServerView }) server: EnteredServerView;
}

export function toEnterGameView(
  player: PlayerIdentity,
  token: string,
  { id, name, address, port, status }: GameServer,
): EnterGameView {
  return { account: gameNameOf(player), token, server: { id, name, address, port, status } };
}
