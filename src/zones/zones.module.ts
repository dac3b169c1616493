import { Module } from '@nestjs/common';
import { ZonesController } from './zones.controller.js';
import { ZonesCoreModule } from './zones-core.module.js';

@Module({
  imports: [ZonesCoreModule],
  controllers: [ZonesController],
  exports: [ZonesCoreModule],
})
export class ZonesModule {}
