import { Module } from '@nestjs/common';
import { FourEyes } from '../../actions/four-eyes/four-eyes.js';
import { AccessModule } from '../access/access.module.js';
import { OperatorsController } from './operators.controller.js';
import { OperatorsService } from './operators.service.js';

@Module({
  imports: [AccessModule],
  controllers: [OperatorsController],
  providers: [FourEyes, OperatorsService],
})
export class DeskOperatorsModule {}
