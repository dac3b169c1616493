import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.js';
import { EventLoopLag } from './event-loop-lag.js';
import { HealthChecks } from './health-checks.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';

@Module({
  imports: [MailModule],
  controllers: [HealthController, MetricsController],
  providers: [EventLoopLag, HealthChecks],
  exports: [HealthChecks],
})
export class HealthModule {}
