import { Body, Controller, Header, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/public.js';
import { ClientAddress } from '../http/address.js';
import { ApiAnswer } from '../http/api-answer.js';
import { LoginDto } from './dto/login.dto.js';
import { LoginView } from './login-view.js';
import { LoginService } from './login.service.js';

@ApiTags('Accounts')
@Public()
@Controller()
export class AccountsController {
  constructor(private readonly logins: LoginService) {}

  @Post('login')
  @Header('Cache-Control', 'no-store')
  @ApiAnswer(
    LoginView,
    'Logged in',
    'bad_credentials',
    'account_disabled',
    'login_throttled',
    'service_unavailable',
  )
  login(@Body() { account, password }: LoginDto, @ClientAddress() address: string) {
    return this.logins.login(account, password, address);
  }
}
