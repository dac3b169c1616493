import { ApiProperty } from '@nestjs/swagger';
import { TokenView } from '../sessions/token.view.js';

export class LoginView extends TokenView {
  @ApiProperty({ type: 'integer', nullable: true, description: 'the zone chosen last' })
  server_id: number | null;
}
