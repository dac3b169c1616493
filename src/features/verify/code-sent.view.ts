import { ApiProperty } from '@nestjs/swagger';
import { CODE_VALID_SECONDS } from './code-rules.js';

export class CodeSentView {
  @ApiProperty({
    type: 'integer',
    example: CODE_VALID_SECONDS,
    description: 'seconds the code is valid',
  })
  expires_in: number;

  @ApiProperty({ type: 'integer', example: 60, description: 'seconds until another can be sent' })
  resend_in: number;
}
