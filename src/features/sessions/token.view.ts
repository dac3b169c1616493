import { ApiProperty } from '@nestjs/swagger';
import { TOKEN_LIFETIME_SECONDS } from '../../platform/auth/token.service.js';

export class TokenView {
  @ApiProperty({ example: 'dragon_slayer' }) account: string;
  @ApiProperty({ description: 'a JWT, for `Authorization: Bearer`' }) token: string;
  @ApiProperty({ type: 'integer', example: TOKEN_LIFETIME_SECONDS, description: 'seconds' })
  expires_in: number;
}

export function toTokenView(account: string, token: string): TokenView {
  return { account, token, expires_in: TOKEN_LIFETIME_SECONDS };
}
