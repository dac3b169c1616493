import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { ProfileModule } from '../profile/profile.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { ClosingJob } from './closing-job.js';
import { ClosingController } from './closing.controller.js';
import { ClosingService } from './closing.service.js';
import { ExportService, PlayerExport } from './export.service.js';
import { PersonalDataRemovalService } from './personal-data-removal.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Player]), MailModule, ProfileModule, SessionsModule],
  controllers: [ClosingController],
  providers: [ClosingJob, ClosingService, ExportService, PersonalDataRemovalService, PlayerExport],
})
export class ClosingModule {}
