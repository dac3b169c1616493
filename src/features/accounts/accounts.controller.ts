import { Body, Controller, Get, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/auth/public.decorator.js';
import { ApiSuccess } from '../../platform/http/response/api-success.decorator.js';
import { BodyOrQuery } from '../../platform/http/request/body.decorator.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { CurrentContext } from '../../platform/http/request/request-context.decorator.js';
import { RecordSignIn } from '../../platform/audit/record-sign-in.interceptor.js';
import { Priority } from '../../platform/http/limits/priority.decorator.js';
import { SessionCookieInterceptor } from '../sessions/session-cookie.interceptor.js';
import { TokenView } from '../sessions/token.view.js';
import { CheckView } from './account.view.js';
import { CheckService } from './check.service.js';
import { CheckDto } from './dto/check.dto.js';
import { LoginDto } from './dto/login.dto.js';
import { RegisterDto } from './dto/register.dto.js';
import { ResetPasswordDto } from './dto/reset-password.dto.js';
import { LoginService } from './login.service.js';
import { LoginView } from './login.view.js';
import { PasswordResetService } from './password-reset.service.js';
import { RegistrationService } from './registration.service.js';
import { ResetView } from './reset.view.js';

const WITHOUT_BODY = 'read where there is no body';

// Not for the whole controller: checks are the busiest calls, and set none.
const SetsCookie = () => UseInterceptors(SessionCookieInterceptor);

const ApiChecked = () =>
  ApiSuccess(
    CheckView,
    'The account and the token go together',
    'token_invalid',
    'account_disabled',
    'service_unavailable',
  );

@ApiTags('Accounts')
@Public()
@Controller()
export class AccountsController {
  constructor(
    private readonly registrations: RegistrationService,
    private readonly logins: LoginService,
    private readonly resets: PasswordResetService,
    private readonly checks: CheckService,
  ) {}

  @Post('register')
  @Priority('other', { waitsOutside: true })
  @RecordSignIn('register')
  @SetsCookie()
  @ApiQuery({ name: 'agent_id', required: false, description: 'promoter; ignored where unknown' })
  @ApiSuccess(
    TokenView,
    'Registered, and logged in',
    'server_not_found',
    'server_unavailable',
    'code_invalid',
    'account_taken',
    'email_taken',
    'registration_cap_reached',
    'service_unavailable',
  )
  register(
    @Body() dto: RegisterDto,
    @Query('agent_id') agentId: unknown,
    @CurrentContext() context: RequestContext,
  ) {
    return this.registrations.register(dto, agentId, context);
  }

  @Post('login')
  @Priority('login')
  @RecordSignIn('login')
  @SetsCookie()
  @ApiSuccess(
    LoginView,
    'Logged in',
    'bad_credentials',
    'second_factor_required',
    'account_disabled',
    'login_throttled',
    'service_unavailable',
  )
  login(@Body() dto: LoginDto, @CurrentContext() context: RequestContext) {
    return this.logins.login(dto, context);
  }

  @Post('reset_password')
  @Priority('other', { waitsOutside: true })
  @RecordSignIn('reset')
  @SetsCookie()
  @ApiSuccess(
    ResetView,
    'The password is changed, every session before has ended, and this one is signed in',
    'code_invalid',
    'second_factor_required',
    'account_disabled',
    'service_unavailable',
  )
  reset(@Body() dto: ResetPasswordDto, @CurrentContext() context: RequestContext) {
    return this.resets.reset(dto, context);
  }

  @Get('check')
  @Priority('game')
  @ApiChecked()
  checkQuery(@Query() { account, token }: CheckDto) {
    return this.checks.check(account, token);
  }

  @Post('check')
  @Priority('game')
  @BodyOrQuery()
  @ApiBody({ type: CheckDto, required: false })
  @ApiQuery({ name: 'account', type: String, required: false, description: WITHOUT_BODY })
  @ApiQuery({ name: 'token', type: String, required: false, description: WITHOUT_BODY })
  @ApiChecked()
  checkBody(@Body() { account, token }: CheckDto) {
    return this.checks.check(account, token);
  }
}
