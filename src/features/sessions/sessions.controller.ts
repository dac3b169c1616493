import { Controller, Delete, Get, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import { ApiExtension, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentPlayer } from '../../platform/auth/current-player.decorator.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { bearerToken } from '../../platform/auth/jwt.strategy.js';
import { OPTIONAL_JWT_EXTENSION, Public } from '../../platform/auth/public.decorator.js';
import { ApiSuccess } from '../../platform/http/response/api-success.decorator.js';
import { IgnoresBody } from '../../platform/http/request/body.decorator.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { CurrentContext } from '../../platform/http/request/request-context.decorator.js';
import { Priority } from '../../platform/http/limits/priority.decorator.js';
import { LogoutService } from './logout.service.js';
import { RefreshService } from './refresh.service.js';
import { SessionCookieInterceptor } from './session-cookie.interceptor.js';
import { SessionCookies } from './session-cookies.js';
import { EndedSessionsView, EmptyView, SessionsView, toSessionsView } from './session.view.js';
import { SessionsService } from './sessions.service.js';
import { TokenView } from './token.view.js';

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
    'A new token, and the cookie anew. The `Origin` must be that of `FRONTEND_URL`',
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
  @ApiSuccess(EmptyView, 'Signed out, by the token or by the cookie; the cookie is gone')
  logout(@Req() request: Request) {
    return this.logouts.logout(bearerToken(request), this.cookies.readFromFrontEnd(request));
  }

  @Get('sessions')
  @ApiSuccess(SessionsView, 'Where the account is signed in')
  async list(@CurrentPlayer() { id, sid }: PlayerIdentity): Promise<SessionsView> {
    return toSessionsView(await this.sessions.list(id), sid);
  }

  @Delete('sessions/:id')
  @IgnoresBody()
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiSuccess(EndedSessionsView, 'That session has ended', 'session_not_found')
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
