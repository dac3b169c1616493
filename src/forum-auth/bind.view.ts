import { ApiProperty } from '@nestjs/swagger';
import { TOKEN_LIFETIME_SECONDS } from '../auth/token.service.js';

export class BindView {
  @ApiProperty({ example: 'forum_k3v9x0q2mz' }) account: string;
  @ApiProperty({ description: 'JWT' }) token: string;
  @ApiProperty({ type: 'integer', example: TOKEN_LIFETIME_SECONDS }) expires_in: number;
  @ApiProperty({ description: 'whether the account was registered just now' }) created: boolean;
}
