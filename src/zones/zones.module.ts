import { Module } from '@nestjs/common';
import { ZoneEdits } from './zone-edits.js';
import { ZonesController } from './zones.controller.js';
import { ZonesCoreModule } from './zones-core.module.js';
import { ZonesService } from './zones.service.js';

@Module({
  imports: [ZonesCoreModule],
  controllers: [ZonesController],
  providers: [ZoneEdits],
  exports: [ZonesCoreModule],
})
export class ZonesModule {
  constructor(zones: ZonesService, edits: ZoneEdits) {
    zones.watch((rows) => edits.look(rows));
  }
}
