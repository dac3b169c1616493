import { ApiProperty } from '@nestjs/swagger';
import { BindingView, toBindingsView } from '../links/links.view.js';
import type { PlayerLink } from '../links/player-link.entity.js';
import { TokenView, toTokenView } from '../sessions/sessions.view.js';

export class CheckView {
  @ApiProperty({ example: 'dragon_slayer' }) account: string;
  @ApiProperty({ enum: ['md5', 'jwt'], description: "the token's format" }) format: 'md5' | 'jwt';
}

export class LoginView extends TokenView {
  @ApiProperty({ type: 'integer', nullable: true, description: 'the last chosen server' })
  server_id: number | null;
}

export function toLoginView(account: string, token: string, serverId: number | null): LoginView {
  return Object.assign(toTokenView(account, token), { server_id: serverId });
}

export class ResetView extends TokenView {
  @ApiProperty({
    type: [BindingView],
    description: 'the third-party identities that can still sign in to the account',
  })
  bindings: BindingView[];
}

export function toResetView(account: string, token: string, links: PlayerLink[]): ResetView {
  return Object.assign(toTokenView(account, token), toBindingsView(links));
}

/** Adds the fields that the first step returns for an account without a second factor. */
export class SecondStepView extends TokenView {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    required: false,
    description: 'after a login: the last chosen server',
  })
  server_id?: number | null;
  @ApiProperty({
    type: [BindingView],
    required: false,
    description: 'after a reset: the third-party identities that can still sign in to the account',
  })
  bindings?: BindingView[];
  @ApiProperty({
    required: false,
    description: 'after a forum login: always false, because a new account has no second factor',
  })
  created?: boolean;
}
