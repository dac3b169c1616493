import { Module } from '@nestjs/common';
import { ZonesModule } from '../zones/zones.module.js';
import { GameController } from './game.controller.js';
import { GameService } from './game.service.js';

@Module({
  imports: [ZonesModule],
  controllers: [GameController],
  providers: [GameService],
})
export class GameModule {}
