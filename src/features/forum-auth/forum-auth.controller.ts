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
import { RecordSignIn } from '../../platform/audit/record-sign-in.interceptor.js';
import { OptionalPlayer, Public, OptionalAuth } from '../../platform/auth/auth.decorators.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import { RefusesHead } from '../../platform/http/request/body.guard.js';
import {
  type RequestContext,
  CurrentContext,
} from '../../platform/http/request/request-context.js';
import { ApiSuccess, ERRORS_EXTENSION } from '../../platform/openapi/api-response.js';
import { type ResponseWithCookie, SessionCookieInterceptor } from '../sessions/sign-in-response.js';
import { ForumBindService, BindView } from './forum-bind.service.js';
import { AuthorizeQuery, BindDto, toCredentials } from './forum-auth.dto.js';
import {
  ForumEnabledGuard,
  ForumAuthorizeGuard,
  type ForumCallbackRequest,
  ForumCallbackGuard,
} from './forum-auth.guards.js';
import { FrontEndRedirect, FrontEndRedirectFilter, redirect } from './front-end-redirect.js';

@ApiTags('Third-party login and links')
@UseGuards(ForumEnabledGuard)
@Controller('forumauth')
export class ForumAuthController {
  constructor(
    private readonly frontEnd: FrontEndRedirect,
    private readonly binding: ForumBindService,
  ) {}

  @Public()
  @Get('authorize')
  @RefusesHead()
  @Priority('login')
  @UseGuards(ForumAuthorizeGuard)
  @ApiQuery({
    name: 'return_to',
    required: false,
    type: String,
    description:
      'path of the front-end page to return to, such as `/withdraw`; anything but a local path counts as `/`',
  })
  @ApiResponse({ status: 302, description: 'Redirects to the forum, with `state` and PKCE' })
  @ApiExtension(ERRORS_EXTENSION, ['not_found'])
  authorize(@Query() _query: AuthorizeQuery): void {
    // ForumAuthorizeGuard has already redirected the browser.
  }

  @Public()
  @Get('callback')
  @RefusesHead()
  @Priority('begun', { waitsOutside: true })
  @UseGuards(ForumCallbackGuard)
  @UseFilters(FrontEndRedirectFilter)
  @ApiQuery({ name: 'state', required: false, type: String })
  @ApiQuery({ name: 'code', required: false, type: String })
  @ApiQuery({ name: 'error', required: false, type: String })
  @ApiResponse({
    status: 302,
    description:
      "Redirects to `{FRONTEND_URL}/signin#ticket=…&linked=0|1&return_to=…`, with `&name=…` if the forum reports a name; or, after an error, to `#error=` and the error's name, with `&return_to=…` unless that is the home page. Both contain `&nonce=…` if the login was started with a nonce",
  })
  @ApiExtension(ERRORS_EXTENSION, ['not_found'])
  async callback(@Req() { user }: ForumCallbackRequest, @Res() response: Response): Promise<void> {
    redirect(response, await this.frontEnd.urlFor(user));
  }

  @OptionalAuth()
  @Post('bind')
  @Priority('begun')
  @RecordSignIn('forum')
  @UseInterceptors(SessionCookieInterceptor)
  @ApiSuccess(
    BindView,
    'The identity is linked to the account, by this request or an earlier one, and the player is logged in',
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
