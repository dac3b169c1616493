import { Module } from '@nestjs/common';
import { AgreementModule } from '../agreement/agreement.module.js';
import { MailModule } from '../mail/mail.module.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { ProcessMetrics } from './process-metrics.js';

/** Health and metrics, for whoever runs the service. */
@Module({
  imports: [AgreementModule, MailModule],
  controllers: [HealthController, MetricsController],
  providers: [ProcessMetrics],
})
export class OperationsModule {}
