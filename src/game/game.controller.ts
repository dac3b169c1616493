import { Body, Controller, Get, Header, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPlayer } from '../auth/current-player.decorator.js';
import type { PlayerIdentity } from '../auth/identity.service.js';
import { Public } from '../auth/public.decorator.js';
import { Environment } from '../config/environment.js';
import { Settings } from '../config/settings.js';
import { ApiAnswer } from '../http/answer/api-answer.decorator.js';
import type { RequestContext } from '../http/request/request-context.js';
import { CurrentContext } from '../http/request/request-context.decorator.js';
import { ConfigView, toConfigView } from './config.view.js';
import { EnterGameDto } from './enter-game.dto.js';
import { EnterGameView } from './enter-game.view.js';
import { EnteredZonesView } from './entered-zones.view.js';
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
  @ApiAnswer(
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
  @ApiAnswer(EnteredZonesView, 'The last 20 zones that the caller has entered, newest first')
  mine(@CurrentPlayer() { id }: PlayerIdentity): Promise<EnteredZonesView> {
    return this.game.entered(id);
  }

  @Public()
  @Get('config')
  @Header('Cache-Control', 'public, max-age=5')
  @ApiAnswer(ConfigView, 'What the front end needs to know before anyone signs in')
  config(): ConfigView {
    return toConfigView(this.settings.current, this.environment);
  }
}
