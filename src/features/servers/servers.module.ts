import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SqlEditsService } from '../../platform/audit/sql-edits.service.js';
import { GameServer } from './game-server.entity.js';
import { ServerSqlEdits } from './server-sql-edits.js';
import { ServersController } from './servers.controller.js';
import { ServersService } from './servers.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([GameServer])],
  controllers: [ServersController],
  providers: [ServerSqlEdits, ServersService],
  exports: [ServersService],
})
export class ServersModule {
  constructor(sqlEdits: SqlEditsService, edits: ServerSqlEdits) {
    sqlEdits.register('servers', edits);
  }
}
