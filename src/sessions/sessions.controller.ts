import { Controller, Delete, Get, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import { ApiExtension, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentPlayer } from '../auth/current-player.decorator.js';
import type { PlayerIdentity } from '../auth/identity.service.js';
import { bearerToken } from '../auth/jwt.strategy.js';
import { JWT_IF_SENT_EXTENSION, Public } from '../auth/public.decorator.js';
import { ApiAnswer } from '../http/answer/api-answer.decorator.js';
import { IgnoresBody } from '../http/request/body.decorator.js';
import type { RequestContext } from '../http/request/request-context.js';
import { CurrentContext } from '../http/request/request-context.decorator.js';
import { LogoutService } from './logout.service.js';
import { RefreshService } from './refresh.service.js';
import { SessionCookieInterceptor } from './session-cookie.interceptor.js';
import { SessionCookies } from './session-cookies.js';
import { EndedView, NothingView, SessionsView, toSessionsView } from './session.view.js';
import { SessionsService } from './sessions.service.js';
import { TokenView } from './token.view.js';

@ApiTags('Sessions')
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
  @IgnoresBody()
  @ApiAnswer(
    TokenView,
    'A new token, and the cookie anew. The `Origin` must be that of `FRONTEND_URL`',
    'session_ended',
    'account_disabled',
    'service_unavailable',
  )
  refresh(@Req() request: Request, @CurrentContext() context: RequestContext) {
    return this.refreshes.refresh(this.cookies.of(request), context);
  }

  @Public()
  @Post('logout')
  @IgnoresBody()
  @ApiExtension(JWT_IF_SENT_EXTENSION, true)
  @ApiAnswer(NothingView, 'Signed out, by the token or by the cookie; the cookie is gone')
  logout(@Req() request: Request) {
    return this.logouts.logout(bearerToken(request), this.cookies.of(request));
  }

  @Get('sessions')
  @ApiAnswer(SessionsView, 'Where the account is signed in')
  async list(@CurrentPlayer() { id, sid }: PlayerIdentity): Promise<SessionsView> {
    return toSessionsView(await this.sessions.list(id), sid);
  }

  @Delete('sessions/:id')
  @IgnoresBody()
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiAnswer(EndedView, 'That session has ended', 'session_not_found')
  async end(@CurrentPlayer() player: PlayerIdentity, @Param('id') id: string): Promise<EndedView> {
    return { ended: await this.sessions.end(player.id, id) };
  }

  @Delete('sessions')
  @IgnoresBody()
  @ApiAnswer(EndedView, 'All other sessions have ended')
  async endOthers(@CurrentPlayer() { id, sid }: PlayerIdentity): Promise<EndedView> {
    return { ended: await this.sessions.endOthers(id, sid) };
  }
}
