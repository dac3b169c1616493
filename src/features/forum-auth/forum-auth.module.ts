import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { Environment } from '../../platform/config/environment.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { LinksModule } from '../links/links.module.js';
import { AutomaticRegistration } from './automatic-registration.js';
import { BindService } from './bind.service.js';
import { ForumAuthController } from './forum-auth.controller.js';
import { ForumSecondStep } from './forum-second-step.js';
import { ForumLoginService } from './forum-login.service.js';
import { CookieStateStore } from './oauth/cookie-state-store.js';
import { FlowCookies } from './oauth/flow-cookies.js';
import { ForumStrategy } from './oauth/forum.strategy.js';
import { Tickets } from './tickets.js';

@Module({
  imports: [AccountsModule, LinksModule, SecondFactorModule, SessionsModule],
  controllers: [ForumAuthController],
  providers: [
    AutomaticRegistration,
    BindService,
    CookieStateStore,
    FlowCookies,
    ForumLoginService,
    ForumSecondStep,
    {
      provide: ForumStrategy,
      inject: [Environment, CookieStateStore],
      // There is no strategy without a forum: passport-oauth2 needs its addresses.
      useFactory: ({ forum, PUBLIC_URL }: Environment, states: CookieStateStore) =>
        forum && new ForumStrategy(forum, PUBLIC_URL, states),
    },
    Tickets,
  ],
})
export class ForumAuthModule {}
