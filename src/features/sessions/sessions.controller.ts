import { Controller, Delete, Get, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import { ApiExtension, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import {
  CurrentPlayer,
  OPTIONAL_JWT_EXTENSION,
  Public,
} from '../../platform/auth/auth.decorators.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { bearerToken } from '../../platform/auth/jwt.strategy.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import { IgnoresBody } from '../../platform/http/request/body.guard.js';
import {
  CurrentContext,
  type RequestContext,
} from '../../platform/http/request/request-context.js';
import { ApiSuccess } from '../../platform/openapi/api-response.js';
import { LogoutService } from './logout.service.js';
import { RefreshService } from './refresh.service.js';
import { SessionCookies } from './session-cookie.js';
import { SessionCookieInterceptor } from './sign-in-response.js';
import { SessionsService } from './sessions.service.js';
import {
  EmptyView,
  EndedSessionsView,
  SessionsView,
  TokenView,
  toSessionsView,
} from './sessions.view.js';

@ApiTags('Sessions')
@Priority('other')
@Controller()
@UseInterceptors(SessionCookieInterceptor)
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly refreshes: RefreshService,
    private readonly logouts: LogoutService,
    private readonly cookies: SessionCookies,
  ) {}

  @Public()
  @Post('session/refresh')
  @Priority('begun')
  @IgnoresBody()
  @ApiSuccess(
    TokenView,
    'A new token and a new cookie. The `Origin` must be that of `FRONTEND_URL`',
    'session_ended',
    'account_disabled',
    'service_unavailable',
  )
  refresh(@Req() request: Request, @CurrentContext() context: RequestContext) {
    return this.refreshes.refresh(this.cookies.readFromFrontEnd(request), context);
  }

  @Public()
  @Post('logout')
  @Priority('begun')
  @IgnoresBody()
  @ApiExtension(OPTIONAL_JWT_EXTENSION, true)
  @ApiSuccess(EmptyView, 'The session of the token or cookie has ended, and the cookie is cleared')
  logout(@Req() request: Request) {
    return this.logouts.logout(bearerToken(request), this.cookies.readFromFrontEnd(request));
  }

  @Get('sessions')
  @ApiSuccess(SessionsView, 'The active sessions of the account')
  async list(@CurrentPlayer() { id, sid }: PlayerIdentity): Promise<SessionsView> {
    return toSessionsView(await this.sessions.list(id), sid);
  }

  @Delete('sessions/:id')
  @IgnoresBody()
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiSuccess(EndedSessionsView, 'The session has ended', 'session_not_found')
  async end(
    @CurrentPlayer() player: PlayerIdentity,
    @Param('id') id: string,
  ): Promise<EndedSessionsView> {
    return { ended: await this.sessions.end(player.id, id) };
  }

  @Delete('sessions')
  @IgnoresBody()
  @ApiSuccess(EndedSessionsView, 'All other sessions have ended')
  async endOthers(@CurrentPlayer() { id, sid }: PlayerIdentity): Promise<EndedSessionsView> {
    return { ended: await this.sessions.endOthers(id, sid) };
  }
}
