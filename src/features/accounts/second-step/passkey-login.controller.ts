import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RecordSignIn } from '../../../platform/audit/record-sign-in.interceptor.js';
import { Public } from '../../../platform/auth/public.decorator.js';
import { Priority } from '../../../platform/http/limits/priority.decorator.js';
import { IgnoresBody } from '../../../platform/http/request/body.decorator.js';
import type { RequestContext } from '../../../platform/http/request/request-context.js';
import { CurrentContext } from '../../../platform/http/request/request-context.decorator.js';
import { ApiSuccess } from '../../../platform/http/response/api-success.decorator.js';
import { Passkeys } from '../../second-factor/passkeys.js';
import { PasskeyOptionsView, toPasskeyOptionsView } from '../../second-factor/passkeys.view.js';
import { SessionCookieInterceptor } from '../../sessions/session-cookie.interceptor.js';
import { LoginView } from '../login.view.js';
import { PasskeyLoginService } from './passkey-login.service.js';
import { PasskeyLoginDto } from './second-step.dto.js';

@ApiTags('Accounts')
@Public()
@Controller('login/passkey')
export class PasskeyLoginController {
  constructor(
    private readonly logins: PasskeyLoginService,
    private readonly passkeys: Passkeys,
  ) {}

  @Post('options')
  @Priority('login')
  @IgnoresBody()
  @ApiSuccess(PasskeyOptionsView, 'WebAuthn request options for a discoverable credential')
  async options(): Promise<PasskeyOptionsView> {
    return toPasskeyOptionsView(await this.passkeys.requestOptions('login', null));
  }

  @Post()
  @Priority('login')
  @RecordSignIn('passkey')
  @UseInterceptors(SessionCookieInterceptor)
  @ApiSuccess(
    LoginView,
    'Logged in: a passkey that verifies its owner counts as both steps',
    'second_factor_invalid',
    'account_disabled',
    'login_throttled',
    'service_unavailable',
  )
  signIn(
    @Body() { response, remember }: PasskeyLoginDto,
    @CurrentContext() context: RequestContext,
  ) {
    return this.logins.signIn(response ?? {}, remember, context);
  }
}
