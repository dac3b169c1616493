import { Injectable } from '@nestjs/common';
import { addressGroup } from '../../platform/http/request/address.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { requestLog } from '../../platform/log/log.js';
import { KnownAddresses } from './known-addresses.js';
import { NewDeviceMail } from './new-device-mail.js';

/** Stores the addresses of sign-ins. A failure here must not affect the sign-in. */
@Injectable()
export class SignInAddressRecorder {
  constructor(
    private readonly addresses: KnownAddresses,
    private readonly newDeviceMail: NewDeviceMail,
  ) {}

  /** For sign-ins by ticket or code: also mails the owner about a new address. */
  record(playerId: number, context: RequestContext): Promise<void> {
    return this.attempt(context, async (address) => {
      if (await this.addresses.rememberUnlessRecent(playerId, address))
        this.newDeviceMail.announce(playerId, context);
    });
  }

  /** For password logins, which have already checked whether the address is new. */
  remember(playerId: number, context: RequestContext): Promise<void> {
    return this.attempt(context, (address) => this.addresses.remember(playerId, address));
  }

  private async attempt(
    context: RequestContext,
    store: (address: string) => Promise<void>,
  ): Promise<void> {
    try {
      await store(addressGroup(context.address));
    } catch (error) {
      // Two logins from a new address may insert the same row; one row is enough.
      requestLog(context.requestId, SignInAddressRecorder.name).warn(
        `a login address could not be recorded: ${(error as Error).message}`,
      );
    }
  }
}
