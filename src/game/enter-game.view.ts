import { ApiProperty, PickType } from '@nestjs/swagger';
import { nameInGame } from '../auth/account-name.js';
import type { PlayerIdentity } from '../auth/identity.service.js';
import type { Zone } from '../zones/zone.entity.js';
import { ZoneView } from '../zones/zone.view.js';

class EnteredZoneView extends PickType(ZoneView, ['id', 'name', 'address', 'port', 'status']) {}

export class EnterGameView {
  @ApiProperty({ example: 'alice', description: 'the name under which the game knows the player' })
  account: string;
  @ApiProperty({ description: "the caller's own token, for the game client to show" })
  token: string;
  @ApiProperty({ type: EnteredZoneView }) server: EnteredZoneView;
}

export function toEnterGameView(
  player: PlayerIdentity,
  { id, name, address, port, status }: Zone,
): EnterGameView {
  const { token } = player;
  return { account: nameInGame(player), token, server: { id, name, address, port, status } };
}
