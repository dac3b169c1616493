import { ApiProperty } from '@nestjs/swagger';
import { TokenView } from '../sessions/token.view.js';

export class BindView extends TokenView {
  @ApiProperty({ description: 'whether the account was registered just now' }) created: boolean;
}
