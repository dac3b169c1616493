import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { gameNameOf } from '../../platform/auth/account-name.js';
import { CurrentPlayer } from '../../platform/auth/auth.decorators.js';
import { GameServerCallback } from '../../platform/auth/game-server.guard.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import {
  CurrentContext,
  type RequestContext,
} from '../../platform/http/request/request-context.js';
import { ApiSuccess } from '../../platform/openapi/api-response.js';
import { BindAccountService } from './bind-account.service.js';
import { BindAccountDto, FindLinkDto, toIdentity } from './links.dto.js';
import { LinksService } from './links.service.js';
import { BindingsView, BoundAccountView, LinkedAccountView, toBindingsView } from './links.view.js';

@ApiTags('Third-party login and links')
@Controller()
export class LinksController {
  constructor(
    private readonly links: LinksService,
    private readonly bindAccounts: BindAccountService,
  ) {}

  @Get('bind')
  @Priority('game')
  @ApiSuccess(BindingsView, "The caller's third-party identities")
  async bindings(@CurrentPlayer() { id }: PlayerIdentity): Promise<BindingsView> {
    return toBindingsView(await this.links.findByPlayer(id));
  }

  @GameServerCallback()
  @Post('bind_account')
  @Priority('begun')
  @ApiSuccess(
    BoundAccountView,
    'The account is linked to the identity, by this request or an earlier one',
    'account_not_found',
    'account_disabled',
    'connect_id_taken',
    'account_linked',
    'service_unavailable',
  )
  async bindAccount(
    @Body() dto: BindAccountDto,
    @CurrentContext() { signature }: RequestContext,
  ): Promise<BoundAccountView> {
    const player = await this.bindAccounts.bind(dto.account, toIdentity(dto), signature);
    return { account: gameNameOf(player), connect_id: dto.connectId };
  }

  @GameServerCallback()
  @Get('link')
  @Priority('game')
  @ApiSuccess(
    LinkedAccountView,
    'The account to which the identity is linked',
    'link_not_found',
    'account_disabled',
    'service_unavailable',
  )
  async link(@Query() dto: FindLinkDto): Promise<LinkedAccountView> {
    return { account: gameNameOf(await this.links.getPlayer(toIdentity(dto))) };
  }
}
