import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LinksModule } from '../links/links.module.js';
import { AutomaticRegistration } from './automatic-registration.js';
import { BindService } from './bind.service.js';
import { FlowCookies } from './flow-cookies.js';
import { ForumAuthController } from './forum-auth.controller.js';
import { ForumClient } from './forum-client.js';
import { ForumLoginService } from './forum-login.service.js';
import { LoginFlows } from './login-flows.js';
import { SignedValues } from './signed-values.js';
import { SingleUse } from './single-use.js';
import { Tickets } from './tickets.js';
import { UsedOnce } from './used-once.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([UsedOnce]), AccountsModule, LinksModule],
  controllers: [ForumAuthController],
  providers: [
    AutomaticRegistration,
    BindService,
    FlowCookies,
    ForumClient,
    ForumLoginService,
    LoginFlows,
    SignedValues,
    SingleUse,
    Tickets,
  ],
})
export class ForumAuthModule {}
