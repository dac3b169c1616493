import { ApiProperty } from '@nestjs/swagger';
import type { PlayerZone } from './player-zone.entity.js';

class PlayerZoneView {
  @ApiProperty({ type: 'integer', example: 1, description: 'the zone; it may be closed by now' })
  id: number;
  @ApiProperty({ format: 'date-time', description: 'the last time' }) entered_at: string;
  @ApiProperty({ type: 'integer', example: 12 }) enter_count: number;
}

export class EnteredZonesView {
  @ApiProperty({ type: [PlayerZoneView] }) servers: PlayerZoneView[];
}

export function toEnteredZonesView(entered: PlayerZone[]): EnteredZonesView {
  return {
    servers: entered.map(({ serverId, enteredAt, enterCount }) => ({
      id: serverId,
      entered_at: enteredAt.toISOString(),
      enter_count: enterCount,
    })),
  };
}
