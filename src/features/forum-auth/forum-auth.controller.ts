import {
  Body,
  Controller,
  Get,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtension, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { OptionalPlayer } from '../../platform/auth/current-player.decorator.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Public, OptionalAuth } from '../../platform/auth/public.decorator.js';
import {
  ApiSuccess,
  ERRORS_EXTENSION,
} from '../../platform/http/response/api-success.decorator.js';
import { RecordSignIn } from '../../platform/audit/record-sign-in.interceptor.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { CurrentContext } from '../../platform/http/request/request-context.decorator.js';
import { Priority } from '../../platform/http/limits/priority.decorator.js';
import type { ResponseWithCookie } from '../sessions/response-with-cookie.js';
import { SessionCookieInterceptor } from '../sessions/session-cookie.interceptor.js';
import { BindService } from './bind.service.js';
import { BindView } from './bind.view.js';
import { AuthorizeQuery, BindDto, toCredentials } from './forum-auth.dto.js';
import { ForumEnabledGuard } from './forum-enabled.guard.js';
import { ForumLoginService } from './forum-login.service.js';
import { FrontEndLandingFilter } from './front-end-landing.filter.js';
import { ForumAuthorizeGuard } from './oauth/forum-authorize.guard.js';
import { type ForumCallbackRequest, ForumCallbackGuard } from './oauth/forum-callback.guard.js';
import { redirect } from './redirect.js';

@ApiTags('Third-party login and links')
@UseGuards(ForumEnabledGuard)
@Controller('forumauth')
export class ForumAuthController {
  constructor(
    private readonly login: ForumLoginService,
    private readonly binding: BindService,
  ) {}

  @Public()
  @Get('authorize')
  @Priority('login')
  @UseGuards(ForumAuthorizeGuard)
  @ApiQuery({
    name: 'return_to',
    required: false,
    type: String,
    description:
      'page of the front end to come back to, such as `/withdraw`; anything else counts as `/`',
  })
  @ApiResponse({ status: 302, description: 'To the forum, with `state` and PKCE' })
  @ApiExtension(ERRORS_EXTENSION, ['not_found'])
  authorize(@Query() _query: AuthorizeQuery): void {
    // ForumAuthorizeGuard has redirected.
  }

  @Public()
  @Get('callback')
  @Priority('begun', { waitsOutside: true })
  @UseGuards(ForumCallbackGuard)
  @UseFilters(FrontEndLandingFilter)
  @ApiQuery({ name: 'state', required: false, type: String })
  @ApiQuery({ name: 'code', required: false, type: String })
  @ApiQuery({ name: 'error', required: false, type: String })
  @ApiResponse({
    status: 302,
    description:
      'To `{FRONTEND_URL}/signin#ticket=…&linked=0|1&return_to=…`, or to `#error=` and the name of the error, with `&return_to=…` where the login was to lead on from the home page; with `&nonce=…` where it was started with one, and `&name=…` where the forum gives a name',
  })
  @ApiExtension(ERRORS_EXTENSION, ['not_found'])
  async callback(@Req() { user }: ForumCallbackRequest, @Res() response: Response): Promise<void> {
    redirect(response, await this.login.landingUrl(user));
  }

  @OptionalAuth()
  @Post('bind')
  @Priority('begun')
  @RecordSignIn('forum')
  @UseInterceptors(SessionCookieInterceptor)
  @ApiSuccess(
    BindView,
    'Logged in to the account that the identity is linked to, now or already before',
    'ticket_invalid',
    'bad_credentials',
    'second_factor_required',
    'login_throttled',
    'registration_cap_reached',
    'connect_id_taken',
    'account_linked',
    'sign_in_again',
    'not_found',
  )
  bind(
    @Body() dto: BindDto,
    @OptionalPlayer() player: PlayerIdentity | undefined,
    @CurrentContext() context: RequestContext,
  ): Promise<ResponseWithCookie<BindView>> {
    return this.binding.bind({
      ticket: dto.ticket ?? '',
      nonce: dto.nonce,
      credentials: toCredentials(dto),
      player,
      remember: dto.remember,
      context,
    });
  }
}
