import { Module } from '@nestjs/common';
import { AgreementModule } from '../agreement/agreement.module.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';

/** Health and metrics, for whoever runs the service. */
@Module({ imports: [AgreementModule], controllers: [HealthController, MetricsController] })
export class OperationsModule {}
