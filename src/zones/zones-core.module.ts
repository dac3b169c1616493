import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Zone } from './zone.entity.js';
import { ZonesService } from './zones.service.js';

/** The zones without their route: for commands and the desk, too, which write nothing when they look. */
@Module({
  imports: [TypeOrmModule.forFeature([Zone])],
  providers: [ZonesService],
  exports: [TypeOrmModule, ZonesService],
})
export class ZonesCoreModule {}
