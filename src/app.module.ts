import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AccountsModule } from './features/accounts/accounts.module.js';
import { AgreementModule } from './features/agreement/agreement.module.js';
import { AuthModule } from './platform/auth/auth.module.js';
import { ChatModule } from './features/chat/chat.module.js';
import { ClosingModule } from './features/closing/closing.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { Environment } from './platform/config/environment.js';
import { CountersModule } from './platform/counters/counters.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { NotFoundModule } from './platform/not-found/not-found.module.js';
import { GameModule } from './features/game/game.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { AuditModule } from './platform/audit/audit.module.js';
import { LegacyModule } from './features/legacy/legacy.module.js';
import { ForumAuthModule } from './features/forum-auth/forum-auth.module.js';
import { LinksModule } from './features/links/links.module.js';
import { MetricsModule } from './platform/metrics/metrics.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { ProfileModule } from './features/profile/profile.module.js';
import { SecondFactorModule } from './features/second-factor/second-factor.module.js';
import { SessionsModule } from './features/sessions/sessions.module.js';
import { ServersModule } from './features/servers/servers.module.js';
import { VerifyModule } from './features/verify/verify.module.js';
import { webFrontEnd } from './platform/static/web-front-end.js';
import { StaticModule } from './platform/static/static.module.js';
import { WithdrawModule } from './features/withdraw/withdraw.module.js';

/** The modules of the service. The request pipeline, with the global guards in order, is in `configure-app.ts`. */
@Module({})
export class AppModule {
  static forRoot(environment: Environment, extraModules: Type[] = []): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(environment),
        MetricsModule,
        DatabaseModule,
        CountersModule,
        HttpModule,
        AuthModule,
        AuditModule,
        // The busiest first: Express tries their routes in this order, those of a module's imports right behind it.
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
    };
  }
}
