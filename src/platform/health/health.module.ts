import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.js';
import { HealthChecks } from './health-checks.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { ProcessMetrics } from './process-metrics.js';

/** The routes for monitoring: health and metrics. */
@Module({
  imports: [MailModule],
  controllers: [HealthController, MetricsController],
  providers: [HealthChecks, ProcessMetrics],
  exports: [HealthChecks],
})
export class HealthModule {}
