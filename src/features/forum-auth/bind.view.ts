import { ApiProperty } from '@nestjs/swagger';
import { TOKEN_LIFETIME_SECONDS } from '../../platform/auth/token.service.js';
import { TokenView } from '../sessions/token.view.js';

export class BindView extends TokenView {
  @ApiProperty({ description: 'whether the account was registered just now' }) created: boolean;
}

export function toBindView(account: string, token: string, created: boolean): BindView {
  return { account, token, expires_in: TOKEN_LIFETIME_SECONDS, created };
}
