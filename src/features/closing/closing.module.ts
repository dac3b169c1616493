import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { ProfileModule } from '../profile/profile.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { Anonymiser } from './anonymiser.js';
import { ClosingController } from './closing.controller.js';
import { ClosingJob } from './closing-job.js';
import { ClosingService } from './closing.service.js';
import { ExportService } from './export.service.js';
import { PlayerExport } from './player-export.js';

@Module({
  imports: [TypeOrmModule.forFeature([Player]), MailModule, ProfileModule, SessionsModule],
  controllers: [ClosingController],
  providers: [Anonymiser, ClosingJob, ClosingService, ExportService, PlayerExport],
})
export class ClosingModule {}
