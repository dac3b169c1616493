import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../auth/player.entity.js';
import { LinksService } from './links.service.js';
import { PlayerLink } from './player-link.entity.js';

/** The links without the callbacks: also for commands and the desk. */
@Module({
  imports: [TypeOrmModule.forFeature([Player, PlayerLink])],
  providers: [LinksService],
  exports: [LinksService],
})
export class LinksCoreModule {}
