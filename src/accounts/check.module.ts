import { Module } from '@nestjs/common';
import { CheckService } from './check.service.js';
import { CredentialsLookup } from './credentials-lookup.js';
import { Passwords } from './passwords.js';

/** What tells whether a token is an account's: for the routes, and for `gatehouse moveover`. */
@Module({
  providers: [CheckService, CredentialsLookup, Passwords],
  exports: [CheckService, CredentialsLookup, Passwords],
})
export class CheckModule {}
