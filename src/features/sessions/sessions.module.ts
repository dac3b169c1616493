import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Session } from '../../platform/auth/session.entity.js';
import { LogoutService } from './logout.service.js';
import { RefreshService } from './refresh.service.js';
import { CookieSecrets, SessionCookies } from './session-cookie.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Session])],
  controllers: [SessionsController],
  providers: [CookieSecrets, LogoutService, RefreshService, SessionCookies, SessionsService],
  exports: [SessionCookies, SessionsService],
})
export class SessionsModule {}
