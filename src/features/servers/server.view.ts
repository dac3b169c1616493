import { ApiProperty } from '@nestjs/swagger';
import { SERVED_STATUSES, type ServedServer } from './game-server.entity.js';

export class ServerView {
  @ApiProperty({ type: 'integer', example: 1 }) id: number;
  @ApiProperty({ example: 'Dragon Valley' }) name: string;
  @ApiProperty({ example: 's1.example.com' }) address: string;
  @ApiProperty({ type: 'integer', example: 7000 }) port: number;
  @ApiProperty({ enum: SERVED_STATUSES }) status: ServedServer['status'];
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'when the server opens, where that lies ahead or was announced',
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

export class ServerListView {
  @ApiProperty({ type: [ServerView] }) servers: ServerView[];
}

export function toServerView(server: ServedServer): ServerView {
  const { id, name, address, port, status, openAt, group, recommended } = server;
  const open_at = openAt?.toISOString() ?? null;
  return { id, name, address, port, status, open_at, group, recommended };
}
