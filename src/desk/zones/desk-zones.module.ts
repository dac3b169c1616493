import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenWork } from '../../zones/desk/open-work.js';
import { ZoneActs } from '../../zones/desk/zone-acts.js';
import { Zone } from '../../zones/zone.entity.js';
import { DeskZonesController } from './desk-zones.controller.js';
import { DeskZonesService } from './desk-zones.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Zone])],
  controllers: [DeskZonesController],
  providers: [DeskZonesService, OpenWork, ZoneActs],
})
export class DeskZonesModule {}
