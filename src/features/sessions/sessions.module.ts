import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Session } from '../../platform/auth/session.entity.js';
import { CookieSecrets } from './cookie-secrets.js';
import { LogoutService } from './logout.service.js';
import { RefreshService } from './refresh.service.js';
import { SessionCookies } from './session-cookies.js';
import { SessionStore } from './session-store.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Session])],
  controllers: [SessionsController],
  providers: [
    CookieSecrets,
    LogoutService,
    RefreshService,
    SessionCookies,
    SessionStore,
    SessionsService,
  ],
  exports: [SessionCookies, SessionsService],
})
export class SessionsModule {}
