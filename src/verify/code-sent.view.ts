import { ApiProperty } from '@nestjs/swagger';

export class CodeSentView {
  @ApiProperty({ type: 'integer', example: 60, description: 'seconds the code is valid' })
  expires_in: number;

  @ApiProperty({ type: 'integer', example: 60, description: 'seconds until another can be sent' })
  resend_in: number;
}
