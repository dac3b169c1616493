import { ApiProperty } from '@nestjs/swagger';
import type { ServerVisit } from './server-visit.entity.js';

class ServerVisitView {
  @ApiProperty({ type: 'integer', example: 1, description: 'the server; it may be closed by now' })
  id: number;
  @ApiProperty({ format: 'date-time', description: 'the last time' }) entered_at: string;
  @ApiProperty({ type: 'integer', example: 12 }) enter_count: number;
}

export class ServerVisitsView {
  @ApiProperty({ type: [ServerVisitView] }) servers: ServerVisitView[];
}

export function toServerVisitsView(visits: ServerVisit[]): ServerVisitsView {
  return {
    servers: visits.map(({ serverId, enteredAt, enterCount }) => ({
      id: serverId,
      entered_at: enteredAt.toISOString(),
      enter_count: enterCount,
    })),
  };
}
