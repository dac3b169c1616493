import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ZoneEdits } from './zone-edits.js';
import { Zone } from './zone.entity.js';
import { ZonesController } from './zones.controller.js';
import { ZonesService } from './zones.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Zone])],
  controllers: [ZonesController],
  providers: [ZoneEdits, ZonesService],
  exports: [ZonesService],
})
export class ZonesModule {
  constructor(zones: ZonesService, edits: ZoneEdits) {
    zones.watch((rows) => edits.look(rows));
  }
}
