import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { nameInGame } from '../auth/account-name.js';
import { CurrentPlayer } from '../auth/current-player.decorator.js';
import { GameServer } from '../auth/game-server.decorator.js';
import type { PlayerIdentity } from '../auth/identity.service.js';
import { ApiAnswer } from '../http/answer/api-answer.decorator.js';
import { BindAccountDto, FindLinkDto, toIdentity } from './links.dto.js';
import { LinksService } from './links.service.js';
import { BindingsView, BoundAccountView, LinkedAccountView, toBindingsView } from './links.view.js';

@ApiTags('Third-party login and links')
@Controller()
export class LinksController {
  constructor(private readonly links: LinksService) {}

  @Get('bind')
  @ApiAnswer(BindingsView, "The caller's third-party identities")
  async bindings(@CurrentPlayer() { id }: PlayerIdentity): Promise<BindingsView> {
    return toBindingsView(await this.links.ofPlayer(id));
  }

  @GameServer()
  @Post('bind_account')
  @ApiAnswer(
    BoundAccountView,
    'The account is linked to the identity, now or already before',
    'account_not_found',
    'account_disabled',
    'connect_id_taken',
    'account_linked',
    'service_unavailable',
  )
  async bindAccount(@Body() dto: BindAccountDto): Promise<BoundAccountView> {
    const player = await this.links.linkAccount(dto.account, toIdentity(dto));
    return { account: nameInGame(player), connect_id: dto.connectId };
  }

  @GameServer()
  @Get('link')
  @ApiAnswer(
    LinkedAccountView,
    'The account that the identity is linked to',
    'link_not_found',
    'account_disabled',
    'service_unavailable',
  )
  async link(@Query() dto: FindLinkDto): Promise<LinkedAccountView> {
    return { account: nameInGame(await this.links.getPlayer(toIdentity(dto))) };
  }
}
