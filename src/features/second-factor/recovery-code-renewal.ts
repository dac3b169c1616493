import { Injectable } from '@nestjs/common';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import { LockedAccount } from './locked-account.js';
import { RecoveryCodes } from './recovery-codes.js';

/** Gives an account ten new recovery codes. */
@Injectable()
export class RecoveryCodeRenewal {
  constructor(
    private readonly lockedAccount: LockedAccount,
    private readonly codes: RecoveryCodes,
  ) {}

  renew(me: PlayerIdentity): Promise<string[]> {
    return this.lockedAccount.change(me, (manager) => {
      if (!me.hasSecondFactor)
        throw new InvalidRequest([{ field: 'two_factor', message: 'there is no second factor' }]);
      return this.codes.replace(manager, me.id);
    });
  }
}
