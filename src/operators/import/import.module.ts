import { Module } from '@nestjs/common';
import { CheckService } from '../../features/accounts/check.service.js';
import { CredentialsLookup } from '../../features/accounts/credentials-lookup.js';
import { Passwords } from '../../features/accounts/passwords.js';
import { AuthModule } from '../../platform/auth/auth.module.js';
import { CountersModule } from '../../platform/counters/counters.module.js';
import { LinksModule } from '../../features/links/links.module.js';

/** The service's own classes for tokens and links, for the proof. */
@Module({
  imports: [CountersModule, AuthModule, LinksModule],
  providers: [CheckService, CredentialsLookup, Passwords],
})
export class ImportModule {}
