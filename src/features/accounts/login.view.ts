import { ApiProperty } from '@nestjs/swagger';
import { TOKEN_LIFETIME_SECONDS } from '../../platform/auth/token.service.js';
import { TokenView } from '../sessions/token.view.js';

export class LoginView extends TokenView {
  @ApiProperty({ type: 'integer', nullable: true, description: 'the server chosen last' })
  server_id: number | null;
}

export function toLoginView(account: string, token: string, serverId: number | null): LoginView {
  return { account, token, expires_in: TOKEN_LIFETIME_SECONDS, server_id: serverId };
}
