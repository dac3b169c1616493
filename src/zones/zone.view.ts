import { ApiProperty } from '@nestjs/swagger';
import { type Zone, ZONE_STATUSES, type ZoneStatus } from './zone.entity.js';

export class ZoneView {
  @ApiProperty({ type: 'integer', example: 1 }) id: number;
  @ApiProperty({ example: 'Dragon Valley' }) name: string;
  @ApiProperty({ example: 's1.example.com' }) address: string;
  @ApiProperty({ type: 'integer', example: 7000 }) port: number;
  @ApiProperty({ enum: ZONE_STATUSES }) status: ZoneStatus;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'when the zone opens, where that lies ahead or was announced',
  })
  open_at: string | null;
  @ApiProperty({
    type: String,
    maxLength: 32,
    nullable: true,
    example: 'Eastern lands',
    description: 'under which players look for it; null: none',
  })
  group: string | null;
  @ApiProperty({ description: 'offered to players first' }) recommended: boolean;
}

export class ZoneListView {
  @ApiProperty({ type: [ZoneView] }) servers: ZoneView[];
}

export function toZoneView(zone: Zone): ZoneView {
  const { id, name, address, port, status, openAt, group, recommended } = zone;
  const open_at = openAt?.toISOString() ?? null;
  return { id, name, address, port, status, open_at, group, recommended };
}
