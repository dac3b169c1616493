import { Module } from '@nestjs/common';
import { HealthModule } from '../../platform/health/health.module.js';
import { AgreementController } from './agreement.controller.js';
import { AgreementService } from './agreement.service.js';

@Module({
  imports: [HealthModule],
  controllers: [AgreementController],
  providers: [AgreementService],
})
export class AgreementModule {}
