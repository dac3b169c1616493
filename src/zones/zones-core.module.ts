import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ZoneEdits } from './zone-edits.js';
import { Zone } from './zone.entity.js';
import { ZonesService } from './zones.service.js';

/** The zones without their route: also for commands and the desk. */
@Module({
  imports: [TypeOrmModule.forFeature([Zone])],
  providers: [ZoneEdits, ZonesService],
  exports: [TypeOrmModule, ZonesService],
})
export class ZonesCoreModule {}
