import { ApiProperty } from '@nestjs/swagger';
import type { PlayerLink } from './player-link.entity.js';

export class BindingView {
  @ApiProperty({ example: 'forum' }) provider: string;
  @ApiProperty({ example: '10293' }) connect_id: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Aria the Bold',
    description: 'the name at the provider, as of the last sign-in through it',
  })
  name: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) bound_at: string;
}

export class BindingsView {
  @ApiProperty({ type: [BindingView] }) bindings: BindingView[];
}

export class BoundAccountView {
  @ApiProperty({ example: 'dragon_rider' }) account: string;
  @ApiProperty({ example: '10293' }) connect_id: string;
}

export class LinkedAccountView {
  @ApiProperty({ example: 'dragon_rider' }) account: string;
}

export function toBindingsView(links: PlayerLink[]): BindingsView {
  return {
    bindings: links.map(({ provider, connectId, name, createdAt }) => ({
      provider,
      connect_id: connectId,
      name,
      bound_at: createdAt.toISOString(),
    })),
  };
}
