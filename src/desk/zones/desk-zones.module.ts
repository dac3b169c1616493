import { Module } from '@nestjs/common';
import { OpenWork } from '../../zones/desk/open-work.js';
import { ZoneActs } from '../../zones/desk/zone-acts.js';
import { ZonesCoreModule } from '../../zones/zones-core.module.js';
import { DeskZonesController } from './desk-zones.controller.js';
import { DeskZonesService } from './desk-zones.service.js';

@Module({
  imports: [ZonesCoreModule],
  controllers: [DeskZonesController],
  providers: [DeskZonesService, OpenWork, ZoneActs],
})
export class DeskZonesModule {}
