import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SqlEditsService } from '../../platform/audit/sql-edits.service.js';
import { GameServer } from './game-server.entity.js';
import { ServerEdits } from './server-edits.js';
import { ServersController } from './servers.controller.js';
import { ServersService } from './servers.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([GameServer])],
  controllers: [ServersController],
  providers: [ServerEdits, ServersService],
  exports: [ServersService],
})
export class ServersModule {
  constructor(sqlEdits: SqlEditsService, edits: ServerEdits) {
    sqlEdits.register('servers', edits);
  }
}
