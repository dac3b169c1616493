import { Module } from '@nestjs/common';
import { GameModule } from '../game/game.module.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';

/** What the people and machines that run the service ask it. */
@Module({ imports: [GameModule], controllers: [HealthController, MetricsController] })
export class OperationsModule {}
