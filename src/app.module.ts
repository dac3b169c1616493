import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { AgreementModule } from './agreement/agreement.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ChatModule } from './chat/chat.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Environment } from './config/environment.js';
import { CountersModule } from './counters/counters.module.js';
import { DatabaseModule } from './database/database.module.js';
import { NotFoundModule } from './not-found/not-found.module.js';
import { GameModule } from './game/game.module.js';
import { HttpModule } from './http/http.module.js';
import { JournalModule } from './journal/journal.module.js';
import { LegacyModule } from './legacy/legacy.module.js';
import { ForumAuthModule } from './forum-auth/forum-auth.module.js';
import { LinksModule } from './links/links.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { HealthModule } from './operations/operations.module.js';
import { ProfileModule } from './profile/profile.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { ZonesModule } from './zones/zones.module.js';
import { VerifyModule } from './verify/verify.module.js';
import { playersFrontEnd } from './web/players-front-end.js';
import { WebModule } from './web/web.module.js';
import { WithdrawModule } from './withdraw/withdraw.module.js';

@Module({})
export class AppModule {
  static forRoot(environment: Environment, alsoServe: Type[] = []): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(environment),
        MetricsModule,
        DatabaseModule,
        CountersModule,
        HttpModule,
        AuthModule,
        JournalModule,
        VerifyModule,
        SessionsModule,
        AccountsModule,
        ZonesModule,
        GameModule,
        AgreementModule,
        ChatModule,
        LegacyModule,
        LinksModule,
        ForumAuthModule,
        ProfileModule,
        WithdrawModule,
        HealthModule,
        WebModule.serving(playersFrontEnd),
        ...alsoServe,
        NotFoundModule,
      ],
    };
  }
}
