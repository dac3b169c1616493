import { ApiProperty, PickType } from '@nestjs/swagger';
import type { PlayerIdentity } from '../auth/identity.service.js';
import type { Zone } from '../zones/zone.entity.js';
import { ZoneView } from '../zones/zone.view.js';

class EnteredZoneView extends PickType(ZoneView, ['id', 'name', 'address', 'port', 'status']) {}

export class EnterGameView {
  @ApiProperty({ example: 'alice' }) account: string;
  @ApiProperty({ description: "the caller's own token, for the game client to show" })
  token: string;
  @ApiProperty({ type: EnteredZoneView }) server: EnteredZoneView;
}

export function toEnterGameView(
  { account, token }: PlayerIdentity,
  { id, name, address, port, status }: Zone,
): EnterGameView {
  return { account, token, server: { id, name, address, port, status } };
}
