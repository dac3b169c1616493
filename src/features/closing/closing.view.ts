import { ApiProperty } from '@nestjs/swagger';

export class ClosingView {
  @ApiProperty({ type: String, format: 'date-time' }) closing_at: string;
}
