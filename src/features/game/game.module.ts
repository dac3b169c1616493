import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ServersModule } from '../servers/servers.module.js';
import { ServerVisits } from './server-visits.js';
import { GameController } from './game.controller.js';
import { GameService } from './game.service.js';
import { ServerVisit } from './server-visit.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([ServerVisit]), ServersModule],
  controllers: [GameController],
  providers: [ServerVisits, GameService],
})
export class GameModule {}
