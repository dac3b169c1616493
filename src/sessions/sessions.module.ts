import { Module } from '@nestjs/common';
import { LogoutService } from './logout.service.js';
import { RefreshService } from './refresh.service.js';
import { SessionCookies } from './session-cookies.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsCoreModule } from './sessions-core.module.js';

@Module({
  imports: [SessionsCoreModule],
  controllers: [SessionsController],
  providers: [LogoutService, RefreshService, SessionCookies],
  exports: [SessionCookies, SessionsCoreModule],
})
export class SessionsModule {}
