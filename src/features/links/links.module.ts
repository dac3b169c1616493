import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { BindAccountService } from './bind-account.service.js';
import { LinksController } from './links.controller.js';
import { LinksService } from './links.service.js';
import { PlayerLink } from './player-link.entity.js';
import { SingleUseService, UsedOnce } from './single-use.service.js';

@Module({
  imports: [MailModule, TypeOrmModule.forFeature([Player, PlayerLink, UsedOnce])],
  controllers: [LinksController],
  providers: [BindAccountService, LinksService, SingleUseService],
  exports: [LinksService, SingleUseService],
})
export class LinksModule {}
