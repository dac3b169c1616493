import { Body, Controller, Get, Header, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPlayer } from '../../platform/auth/current-player.decorator.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Public } from '../../platform/auth/public.decorator.js';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { ApiSuccess } from '../../platform/http/response/api-success.decorator.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { CurrentContext } from '../../platform/http/request/request-context.decorator.js';
import { Priority } from '../../platform/http/limits/priority.decorator.js';
import { ConfigView, toConfigView } from './config.view.js';
import { EnterGameDto } from './enter-game.dto.js';
import { EnterGameView } from './enter-game.view.js';
import { ServerVisitsView } from './server-visits.view.js';
import { GameService } from './game.service.js';

@ApiTags('Game')
@Controller()
export class GameController {
  constructor(
    private readonly game: GameService,
    private readonly settings: Settings,
    private readonly environment: Environment,
  ) {}

  @Post('enter_game')
  @Priority('game')
  @ApiSuccess(
    EnterGameView,
    'What the game client needs to connect',
    'server_not_found',
    'server_unavailable',
  )
  enter(
    @CurrentPlayer() player: PlayerIdentity,
    @Body() { serverId }: EnterGameDto,
    @CurrentContext() { address }: RequestContext,
  ): Promise<EnterGameView> {
    return this.game.enter(player, serverId, address);
  }

  @Get('server/mine')
  @Priority('other')
  @ApiSuccess(ServerVisitsView, 'The last 20 servers that the caller has entered, newest first')
  visitedServers(@CurrentPlayer() { id }: PlayerIdentity): Promise<ServerVisitsView> {
    return this.game.visitedServers(id);
  }

  @Public()
  @Get('config')
  @Priority('cheap')
  @Header('Cache-Control', 'public, max-age=5')
  @ApiSuccess(ConfigView, 'What the front end needs to know before anyone signs in')
  config(): ConfigView {
    return toConfigView(this.settings.current, this.environment);
  }
}
