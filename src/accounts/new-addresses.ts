import { Injectable } from '@nestjs/common';
import { addressGroup } from '../http/request/address.js';
import type { RequestContext } from '../http/request/request-context.js';
import { requestLog } from '../log/log.js';
import { KnownAddresses } from './known-addresses.js';
import { NewDeviceMail } from './new-device-mail.js';

/** For sign-ins by ticket or code: remembers an address that is new, and tells the owner of the account. */
@Injectable()
export class NewAddresses {
  constructor(
    private readonly addresses: KnownAddresses,
    private readonly newDeviceMail: NewDeviceMail,
  ) {}

  /** `isNew`: where the caller knows already, and has remembered the address. */
  async note(playerId: number, context: RequestContext, isNew?: boolean): Promise<void> {
    const address = addressGroup(context.address);
    try {
      if (isNew ?? (await this.remember(playerId, address)))
        this.newDeviceMail.announce(playerId, context);
    } catch (error) {
      // The person is signed in already.
      requestLog(context.requestId, NewAddresses.name).warn(
        `a login address was not written down: ${(error as Error).message}`,
      );
    }
  }

  private async remember(playerId: number, address: string): Promise<boolean> {
    if (await this.addresses.isKnown(playerId, address)) return false;
    await this.addresses.remember(playerId, address);
    return true;
  }
}
