import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ServersModule } from '../servers/servers.module.js';
import { GameController } from './game.controller.js';
import { GameService } from './game.service.js';
import { ServerVisits, ServerVisit } from './server-visits.js';

@Module({
  imports: [TypeOrmModule.forFeature([ServerVisit]), ServersModule],
  controllers: [GameController],
  providers: [ServerVisits, GameService],
})
export class GameModule {}
