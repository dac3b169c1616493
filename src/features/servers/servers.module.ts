import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ServerEditAuditor } from './server-edit-auditor.js';
import { GameServer } from './game-server.entity.js';
import { ServersController } from './servers.controller.js';
import { ServersService } from './servers.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([GameServer])],
  controllers: [ServersController],
  providers: [ServerEditAuditor, ServersService],
  exports: [ServersService],
})
export class ServersModule {
  constructor(servers: ServersService, edits: ServerEditAuditor) {
    servers.onRead((rows) => edits.check(rows));
  }
}
