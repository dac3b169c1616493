import { ApiProperty } from '@nestjs/swagger';
import { BindingView } from '../../links/links.view.js';
import { TokenView } from '../../sessions/token.view.js';

/** What the call that gave the ticket would have answered. */
export class SecondStepView extends TokenView {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    required: false,
    description: 'after a login: the server chosen last',
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
    description: 'after a forum login: always false, a new account has no second factor',
  })
  created?: boolean;
}
