import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RecordSignIn } from '../../platform/audit/record-sign-in.interceptor.js';
import { Public } from '../../platform/auth/auth.decorators.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import { IgnoresBody } from '../../platform/http/request/body.guard.js';
import {
  CurrentContext,
  type RequestContext,
} from '../../platform/http/request/request-context.js';
import { ApiSuccess } from '../../platform/openapi/api-response.js';
import { Passkeys } from '../second-factor/passkeys.js';
import { PasskeyOptionsView, toPasskeyOptionsView } from '../second-factor/second-factor.view.js';
import { SessionCookieInterceptor } from '../sessions/sign-in-response.js';
import { PasskeyLoginDto, SecondStepDto, toProof } from './accounts.dto.js';
import { LoginView, SecondStepView } from './accounts.view.js';
import { PasskeyLoginService } from './passkey-login.service.js';
import { SecondFactorLoginService } from './second-factor-login.service.js';

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
    'The player is logged in without a second step, because the passkey verifies its owner',
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

@ApiTags('Accounts')
@Public()
@Controller('login/second')
export class SecondStepController {
  constructor(private readonly logins: SecondFactorLoginService) {}

  @Post()
  @Priority('begun')
  @RecordSignIn('second')
  @UseInterceptors(SessionCookieInterceptor)
  @ApiSuccess(
    SecondStepView,
    'The player is signed in; `data` is that of the call that issued the ticket',
    'second_factor_invalid',
    'login_throttled',
    'account_disabled',
    'ticket_invalid',
    'connect_id_taken',
    'account_linked',
    'service_unavailable',
  )
  signIn(@Body() dto: SecondStepDto, @CurrentContext() context: RequestContext) {
    return this.logins.signIn(dto.ticket, toProof(dto), Boolean(dto.trust), context);
  }
}
