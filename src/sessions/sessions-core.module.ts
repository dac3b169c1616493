import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Session } from '../auth/session.entity.js';
import { CookieSecrets } from './cookie-secrets.js';
import { SessionRows } from './session-rows.js';
import { SessionsService } from './sessions.service.js';

const PARTS = [CookieSecrets, SessionRows, SessionsService];

/** The sessions without their routes: also for commands and the desk. */
@Module({
  imports: [TypeOrmModule.forFeature([Session])],
  providers: PARTS,
  exports: [TypeOrmModule, ...PARTS],
})
export class SessionsCoreModule {}
