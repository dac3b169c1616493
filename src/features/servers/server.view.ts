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
    description: 'when the server opens or opened; null if no time is set',
  })
  open_at: string | null;
  @ApiProperty({
    type: String,
    maxLength: 32,
    nullable: true,
    example: 'Eastern lands',
    description: 'the group in which players find the server; null if it has none',
  })
  group: string | null;
  @ApiProperty({ description: 'whether it is offered to players first' }) recommended: boolean;
}

export class ServerListView {
  @ApiProperty({ type: [ServerView] }) servers: ServerView[];
}

export function toServerView(server: ServedServer): ServerView {
  const { id, name, address, port, status, openAt, group, recommended } = server;
  const open_at = openAt?.toISOString() ?? null;
  return { id, name, address, port, status, open_at, group, recommended };
}
