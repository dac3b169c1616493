import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { LinksController } from './links.controller.js';
import { LinksService } from './links.service.js';
import { PlayerLink } from './player-link.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Player, PlayerLink])],
  controllers: [LinksController],
  providers: [LinksService],
  exports: [LinksService],
})
export class LinksModule {}
