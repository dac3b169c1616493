import { Body, Controller, Get, Post, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { RecordSignIn } from '../../platform/audit/record-sign-in.interceptor.js';
import { Public } from '../../platform/auth/auth.decorators.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import { BodyOrQuery } from '../../platform/http/request/body.guard.js';
import {
  CurrentContext,
  type RequestContext,
} from '../../platform/http/request/request-context.js';
import { ApiSuccess } from '../../platform/openapi/api-response.js';
import { SessionCookies } from '../sessions/session-cookie.js';
import { SessionCookieInterceptor } from '../sessions/sign-in-response.js';
import { TokenView } from '../sessions/sessions.view.js';
import { CheckDto, LoginDto, RegisterDto, ResetPasswordDto } from './accounts.dto.js';
import { CheckView, LoginView, ResetView } from './accounts.view.js';
import { CheckService } from './check.service.js';
import { LoginService } from './login.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { RegistrationService } from './registration.service.js';

const WITHOUT_BODY = 'read only if the request has no body';

// Token checks are the most frequent requests and set no cookie, so only the other routes use the interceptor.
const SetsCookie = () => UseInterceptors(SessionCookieInterceptor);

const ApiChecked = () =>
  ApiSuccess(
    CheckView,
    'The token belongs to the account',
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
    private readonly cookies: SessionCookies,
  ) {}

  @Post('register')
  @Priority('other', { waitsOutside: true })
  @RecordSignIn('register')
  @SetsCookie()
  @ApiQuery({
    name: 'agent_id',
    required: false,
    description: 'id of the promoter; ignored if unknown',
  })
  @ApiSuccess(
    TokenView,
    'The account is registered and logged in',
    'server_not_found',
    'server_unavailable',
    'password_weak',
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
  login(@Body() dto: LoginDto, @CurrentContext() context: RequestContext, @Req() request: Request) {
    return this.logins.login(dto, context, (id) => this.cookies.readTrust(request, id));
  }

  @Post('reset_password')
  @Priority('other', { waitsOutside: true })
  @RecordSignIn('reset')
  @SetsCookie()
  @ApiSuccess(
    ResetView,
    'The password is changed, all earlier sessions have ended, and a new one has started',
    'password_weak',
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
  checkQuery(@Query() { account, token }: CheckDto, @CurrentContext() { address }: RequestContext) {
    return this.checks.check(account, token, address);
  }

  @Post('check')
  @Priority('game')
  @BodyOrQuery()
  @ApiBody({ type: CheckDto, required: false })
  @ApiQuery({ name: 'account', type: String, required: false, description: WITHOUT_BODY })
  @ApiQuery({ name: 'token', type: String, required: false, description: WITHOUT_BODY })
  @ApiChecked()
  checkBody(@Body() { account, token }: CheckDto, @CurrentContext() { address }: RequestContext) {
    return this.checks.check(account, token, address);
  }
}
