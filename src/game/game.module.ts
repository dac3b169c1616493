import { Module } from '@nestjs/common';
import { ServersModule } from '../servers/servers.module.js';
import { AgreementController } from './agreement.controller.js';
import { AgreementService } from './agreement.service.js';
import { GameController } from './game.controller.js';
import { GameService } from './game.service.js';

@Module({
  imports: [ServersModule],
  controllers: [GameController, AgreementController],
  providers: [GameService, AgreementService],
  exports: [AgreementService],
})
export class GameModule {}
