import { ApiProperty } from '@nestjs/swagger';
import type { Player } from '../auth/player.entity.js';
import { BindingView, toBindingsView } from '../links/links.view.js';
import type { PlayerLink } from '../links/player-link.entity.js';
import { TOKEN_LIFETIME_SECONDS } from '../auth/token.service.js';

export class TokenView {
  @ApiProperty({ example: 'dragon_slayer' }) account: string;
  @ApiProperty({ description: 'a JWT, for `Authorization: Bearer`' }) token: string;
  @ApiProperty({ type: 'integer', example: TOKEN_LIFETIME_SECONDS, description: 'seconds' })
  expires_in: number;
}

export class LoginView extends TokenView {
  @ApiProperty({ type: 'integer', nullable: true, description: 'the zone chosen last' })
  server_id: number | null;
}

export class ResetView extends TokenView {
  @ApiProperty({
    type: [BindingView],
    description: 'the third-party identities that can still sign in to the account',
  })
  bindings: BindingView[];
}

export function toTokenView(account: string, token: string): TokenView {
  return { account, token, expires_in: TOKEN_LIFETIME_SECONDS };
}

export function toLoginView({ account, serverId }: Player, token: string): LoginView {
  return { account, token, expires_in: TOKEN_LIFETIME_SECONDS, server_id: serverId };
}

export function toResetView(account: string, token: string, links: PlayerLink[]): ResetView {
  return Object.assign(toTokenView(account, token), toBindingsView(links));
}
