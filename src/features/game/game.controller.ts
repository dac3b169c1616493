import { Body, Controller, Get, Header, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPlayer, Public } from '../../platform/auth/auth.decorators.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { Priority } from '../../platform/http/limits/route-priorities.js';
import {
  type RequestContext,
  CurrentContext,
} from '../../platform/http/request/request-context.js';
import { IntegerField } from '../../platform/http/validation/field.decorator.js';
import { ApiSuccess } from '../../platform/openapi/api-response.js';
import { EnterGameView, ServerVisitsView, GameService } from './game.service.js';
import { ConfigView, toConfigView } from './public-config.js';

class EnterGameDto {
  @IntegerField({ description: 'the chosen server', example: 1 }) serverId: number;
}

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
    @CurrentContext() context: RequestContext,
  ): Promise<EnterGameView> {
    return this.game.enter(player, serverId, context);
  }

  @Get('server/mine')
  @Priority('other')
  @ApiSuccess(ServerVisitsView, 'The last 20 servers that the caller has entered, the latest first')
  visitedServers(@CurrentPlayer() { id }: PlayerIdentity): Promise<ServerVisitsView> {
    return this.game.visitedServers(id);
  }

  @Public()
  @Get('config')
  @Priority('cheap')
  @Header('Cache-Control', 'public, max-age=5')
  @ApiSuccess(ConfigView, 'The configuration that the front end needs before sign-in')
  config(): ConfigView {
    return toConfigView(this.settings.current, this.environment);
  }
}
