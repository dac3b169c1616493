import { Module } from '@nestjs/common';
import { AgreementModule } from '../agreement/agreement.module.js';
import { MailModule } from '../mail/mail.module.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';

/** What the people and machines that run the service ask it. */
@Module({
  imports: [AgreementModule, MailModule],
  controllers: [HealthController, MetricsController],
})
export class OperationsModule {}
