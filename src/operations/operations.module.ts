import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';

/** What the people and machines that run the service ask it. */
@Module({ controllers: [HealthController, MetricsController] })
export class OperationsModule {}
