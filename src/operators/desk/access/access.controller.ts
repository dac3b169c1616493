import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../../platform/auth/public.decorator.js';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import { IgnoresBody } from '../../../platform/http/request/body.decorator.js';
import { CurrentContext } from '../../../platform/http/request/request-context.decorator.js';
import type { RequestContext } from '../../../platform/http/request/request-context.js';
import { ChangePasswordDto, EnrolDto, SignInDto } from './access.dto.js';
import type { EnrolmentView, SessionView, SignedInView } from './access.view.js';
import { CurrentOperator, type DeskRequest } from './current-operator.decorator.js';
import { DeskCookie } from './desk-cookie.js';
import { KnownDevice } from './known-device.js';
import { csrfToken, MAX_SESSION_SECONDS } from '../../actions/operators/operator-sessions.js';
import { type DeskOperator, ROLES } from '../../actions/operators/role.js';
import { DeskGet, DeskPost } from '../desk-route.decorator.js';
import { type SignedIn, SignInService } from './sign-in.service.js';

@Controller()
export class AccessController {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
    private readonly cookie: DeskCookie,
    private readonly devices: KnownDevice,
    private readonly access: SignInService,
  ) {}

  @Post('sign_in')
  @HttpCode(200)
  @Public()
  async signIn(
    @Body() credentials: SignInDto,
    @CurrentContext() { address }: RequestContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInView | EnrolmentView> {
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
  ): Promise<SignedInView> {
    const device = this.cookie.readDevice(response.req);
    return this.begin(response, await this.access.enrol(dto, address, device));
  }

  @DeskGet('session', ROLES)
  session(@CurrentOperator() operator: DeskOperator, @Req() request: DeskRequest): SessionView {
    return {
      operator,
      token: csrfToken(this.cookie.read(request)!),
      embedded: this.environment.embedded,
      four_eyes_above: this.settings.current.desk.four_eyes_above,
    };
  }

  /** Ends the operator's other sessions. */
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

  private begin(response: Response, { operator, secret }: SignedIn): SignedInView {
    this.cookie.set(response, secret);
    this.cookie.setDevice(response, this.devices.create(operator.name));
    return { operator, token: csrfToken(secret), expires_in: MAX_SESSION_SECONDS };
  }
}
