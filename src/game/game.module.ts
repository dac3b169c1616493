import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ZonesModule } from '../zones/zones.module.js';
import { Entries } from './entries.js';
import { GameController } from './game.controller.js';
import { GameService } from './game.service.js';
import { PlayerZone } from './player-zone.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([PlayerZone]), ZonesModule],
  controllers: [GameController],
  providers: [Entries, GameService],
})
export class GameModule {}
