import { ApiProperty } from '@nestjs/swagger';

class FieldProblemView {
  @ApiProperty({ example: 'email' }) field: string;
  @ApiProperty({ example: 'must be an e-mail address' }) message: string;
}

export class BanView {
  @ApiProperty({ description: 'in the words of the operator' }) reason: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'null: for good' })
  until: string | null;
}

export class ErrorView {
  @ApiProperty({ type: 'integer', description: 'HTTP status × 100 + n' }) code: number;
  @ApiProperty({ description: 'stable name' }) error: string;
  @ApiProperty({ description: 'for people; never branch on it' }) message: string;
  @ApiProperty({ description: 'also the X-Request-Id header' }) request_id: string;
  @ApiProperty({ type: [FieldProblemView], required: false }) details?: FieldProblemView[];
  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'seconds, where waiting helps; also the Retry-After header',
  })
  retry_after?: number;
  @ApiProperty({ type: BanView, required: false }) ban?: BanView;
  @ApiProperty({ required: false, description: 'with `second_factor_required`' }) ticket?: string;
  @ApiProperty({
    type: [String],
    enum: ['totp', 'passkey', 'recovery_code'],
    required: false,
    description: 'with `second_factor_required`: what the account has',
  })
  methods?: Array<'totp' | 'passkey' | 'recovery_code'>;
}
