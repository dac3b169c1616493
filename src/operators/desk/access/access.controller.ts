import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../../platform/auth/auth.decorators.js';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { IgnoresBody } from '../../../platform/http/request/body.guard.js';
import {
  CurrentContext,
  type RequestContext,
} from '../../../platform/http/request/request-context.js';
import { csrfToken, MAX_SESSION_SECONDS } from '../../actions/operators/operator-sessions.js';
import { type DeskOperator, ROLES } from '../../actions/operators/operator.entity.js';
import {
  CurrentOperator,
  DeskGet,
  DeskPost,
  type DeskRequest,
} from '../http/desk-route.decorator.js';
import { DeskCookie } from './desk-cookie.js';
import {
  ChangePasswordDto,
  EnrolDto,
  type SignedIn,
  SignInDto,
  SignInService,
} from './sign-in.service.js';

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
  ) {
    const device = this.cookie.readDevice(response.req);
    const result = await this.access.signIn(credentials, address, device);
    return 'enrolment' in result ? result : this.begin(response, result);
  }

  @Post('enrol')
  @HttpCode(200)
  @Public()
  async enrol(
    @Body() dto: EnrolDto,
    @CurrentContext() { address }: RequestContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    const device = this.cookie.readDevice(response.req);
    return this.begin(response, await this.access.enrol(dto, address, device));
  }

  @DeskGet('session', ROLES)
  session(@CurrentOperator() operator: DeskOperator, @Req() request: DeskRequest) {
    return {
      operator,
      /** Requests that change state send this token in the header `X-Desk-Token`. */
      token: csrfToken(this.cookie.read(request)!),
      embedded: this.environment.embedded,
      four_eyes_above: this.settings.current.desk.four_eyes_above,
    };
  }

  @DeskPost('password', ROLES)
  async changePassword(
    @Body() dto: ChangePasswordDto,
    @Req() { desk, context }: DeskRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const device = this.cookie.readDevice(response.req);
    await this.access.changePassword(desk!, dto, context.address, device);
  }

  @DeskPost('sign_out', ROLES)
  @IgnoresBody()
  async signOut(
    @Req() { desk, context }: DeskRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.access.signOut(desk!, context.address);
    this.cookie.clear(response);
  }

  private begin(response: Response, { operator, secret }: SignedIn) {
    this.cookie.set(response, secret);
    this.cookie.setDevice(response, operator.name);
    return { operator, token: csrfToken(secret), expires_in: MAX_SESSION_SECONDS };
  }
}
