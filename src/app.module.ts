import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from './features/accounts/accounts.module.js';
import { AgreementModule } from './features/agreement/agreement.module.js';
import { ChatModule } from './features/chat/chat.module.js';
import { ClosingModule } from './features/closing/closing.module.js';
import { ForumAuthModule } from './features/forum-auth/forum-auth.module.js';
import { GameModule } from './features/game/game.module.js';
import { LegacyModule } from './features/legacy/legacy.module.js';
import { LinksModule } from './features/links/links.module.js';
import { ProfileModule } from './features/profile/profile.module.js';
import { SecondFactorModule } from './features/second-factor/second-factor.module.js';
import { ServersModule } from './features/servers/servers.module.js';
import { SessionsModule } from './features/sessions/sessions.module.js';
import { VerifyModule } from './features/verify/verify.module.js';
import { WithdrawModule } from './features/withdraw/withdraw.module.js';
import { AuditModule } from './platform/audit/audit.module.js';
import { AuthModule } from './platform/auth/auth.module.js';
import { GameServerGuard } from './platform/auth/game-server.guard.js';
import { JwtAuthGuard } from './platform/auth/jwt-auth.guard.js';
import type { Environment } from './platform/config/environment.js';
import { ConfigModule } from './platform/config/settings.js';
import { CountersModule } from './platform/counters/counters.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { EventDelivery } from './platform/events/event-delivery.service.js';
import { EventsModule } from './platform/events/events.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { DeniedAddress, DeniedAddresses } from './platform/http/limits/denied-addresses.js';
import { IpDenyGuard } from './platform/http/limits/ip-deny.guard.js';
import { RateLimitGuard } from './platform/http/limits/rate-limit.guard.js';
import { BodyGuard } from './platform/http/request/body.guard.js';
import { MetricsModule } from './platform/metrics/metrics.js';
import { NotFoundModule } from './platform/not-found/not-found.controller.js';
import { StaticModule, webFrontEnd } from './platform/static/static.module.js';

/** Lists the guards that every request passes, in order. `configure-app.ts` sets up the rest of the pipeline. */
export const GLOBAL_GUARDS = [
  IpDenyGuard,
  RateLimitGuard,
  JwtAuthGuard,
  GameServerGuard,
  // The body is read last, so that the service never parses the body of a rejected request.
  BodyGuard,
];

@Module({})
export class AppModule {
  static forRoot(environment: Environment, extraModules: Type[] = []): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(environment),
        MetricsModule,
        DatabaseModule,
        TypeOrmModule.forFeature([DeniedAddress]),
        CountersModule,
        HttpModule,
        AuthModule,
        AuditModule,
        EventsModule,
        // The busiest modules come first, because Express tries routes in the order of their registration.
        ServersModule,
        GameModule,
        ChatModule,
        AccountsModule,
        LinksModule,
        WithdrawModule,
        VerifyModule,
        SessionsModule,
        SecondFactorModule,
        AgreementModule,
        LegacyModule,
        ForumAuthModule,
        ProfileModule,
        ClosingModule,
        HealthModule,
        StaticModule.forFrontEnd(webFrontEnd),
        ...extraModules,
        NotFoundModule,
      ],
      providers: [DeniedAddresses, EventDelivery],
    };
  }
}
