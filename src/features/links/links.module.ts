import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { BindAccountService } from './bind-account.service.js';
import { LinksController } from './links.controller.js';
import { LinksService } from './links.service.js';
import { PlayerLink } from './player-link.entity.js';
import { UsedOnce } from './used-once.entity.js';
import { UsedTokenStore } from './used-token-store.js';

@Module({
  imports: [TypeOrmModule.forFeature([Player, PlayerLink, UsedOnce])],
  controllers: [LinksController],
  providers: [BindAccountService, LinksService, UsedTokenStore],
  exports: [LinksService, UsedTokenStore],
})
export class LinksModule {}
