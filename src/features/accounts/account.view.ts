import { ApiProperty } from '@nestjs/swagger';

export class AccountView {
  @ApiProperty({ example: 'dragon_slayer' }) account: string;
}

export class CheckView extends AccountView {
  @ApiProperty({ enum: ['md5', 'jwt'], description: 'what the token was' }) format: 'md5' | 'jwt';
}
