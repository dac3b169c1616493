import { ApiProperty } from '@nestjs/swagger';
import { BindingView, toBindingsView } from '../links/links.view.js';
import type { PlayerLink } from '../links/player-link.entity.js';
import { TokenView, toTokenView } from '../sessions/token.view.js';

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
