import { Injectable } from '@nestjs/common';
import { addressGroup } from '../../platform/http/request/address.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { requestLog } from '../../platform/log/log.js';
import { KnownAddresses } from './known-addresses.js';
import { NewDeviceMail } from './new-device-mail.js';

/** For sign-ins by ticket or code: stores the address, and mails the owner if it is new. */
@Injectable()
export class SignInAddressRecorder {
  constructor(
    private readonly addresses: KnownAddresses,
    private readonly newDeviceMail: NewDeviceMail,
  ) {}

  async record(playerId: number, context: RequestContext): Promise<void> {
    try {
      if (await this.addresses.rememberUnlessRecent(playerId, addressGroup(context.address)))
        this.newDeviceMail.announce(playerId, context);
    } catch (error) {
      // A failure here must not affect the sign-in.
      requestLog(context.requestId, SignInAddressRecorder.name).warn(
        `a login address could not be recorded: ${(error as Error).message}`,
      );
    }
  }
}
