import { Module } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LinksModule } from '../links/links.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AutomaticRegistration } from './automatic-registration.js';
import { ForumBindService } from './forum-bind.service.js';
import { CookieStateStore } from './cookie-state-store.js';
import { ForumAuthController } from './forum-auth.controller.js';
import { ForumTickets } from './forum-tickets.js';
import { ForumStrategy } from './forum.strategy.js';
import { FrontEndRedirect } from './front-end-redirect.js';

@Module({
  imports: [AccountsModule, LinksModule, SecondFactorModule, SessionsModule],
  controllers: [ForumAuthController],
  providers: [
    AutomaticRegistration,
    ForumBindService,
    CookieStateStore,
    FrontEndRedirect,
    {
      provide: ForumStrategy,
      inject: [Environment, CookieStateStore],
      // Without a forum there is no strategy, because passport-oauth2 requires the forum's URLs.
      useFactory: ({ forum, PUBLIC_URL }: Environment, states: CookieStateStore) =>
        forum && new ForumStrategy(forum, PUBLIC_URL, states),
    },
    ForumTickets,
  ],
})
export class ForumAuthModule {}
