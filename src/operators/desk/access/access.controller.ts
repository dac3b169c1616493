import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../../platform/auth/public.decorator.js';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { IgnoresBody } from '../../../platform/http/request/body.decorator.js';
import { CurrentContext } from '../../../platform/http/request/request-context.decorator.js';
import type { RequestContext } from '../../../platform/http/request/request-context.js';
import { SignInDto } from './access.dto.js';
import type { SessionView, SignedInView } from './access.view.js';
import { CurrentOperator, type DeskRequest } from './current-operator.decorator.js';
import { DeskCookie } from './desk-cookie.js';
import { DoesNotExtendSession } from './does-not-extend-session.decorator.js';
import { csrfToken, MAX_SESSION_SECONDS } from '../../actions/operators/operator-sessions.js';
import { type DeskOperator, ROLES } from '../../actions/operators/role.js';
import { Roles } from './roles.decorator.js';
import { SignInService } from './sign-in.service.js';

@Controller()
export class AccessController {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
    private readonly cookie: DeskCookie,
    private readonly access: SignInService,
  ) {}

  @Post('sign_in')
  @HttpCode(200)
  @Public()
  async signIn(
    @Body() credentials: SignInDto,
    @CurrentContext() { address }: RequestContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInView> {
    const { operator, secret } = await this.access.signIn(credentials, address);
    this.cookie.set(response, secret);
    return { operator, token: csrfToken(secret), expires_in: MAX_SESSION_SECONDS };
  }

  @Get('session')
  @Roles(...ROLES)
  session(@CurrentOperator() operator: DeskOperator, @Req() request: DeskRequest): SessionView {
    return {
      operator,
      token: csrfToken(this.cookie.read(request)!),
      embedded: this.environment.embedded,
      four_eyes_above: this.settings.current.desk.four_eyes_above,
    };
  }

  /** For a page that has lost its stream: whether somebody is signed in still. */
  @Get('session/standing')
  @DoesNotExtendSession()
  @Roles(...ROLES)
  status(@CurrentOperator() operator: DeskOperator): Pick<SessionView, 'operator'> {
    return { operator };
  }

  @Post('sign_out')
  @HttpCode(200)
  @IgnoresBody()
  @Roles(...ROLES)
  async signOut(
    @Req() { desk, context }: DeskRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.access.signOut(desk!, context.address);
    this.cookie.clear(response);
  }
}
