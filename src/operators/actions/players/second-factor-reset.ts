import { Injectable } from '@nestjs/common';
import { removeAllFactors } from '../../../features/second-factor/factor-state.js';
import {
  type FactorSummary,
  summarizeFactors,
} from '../../../features/second-factor/factor-summary.js';
import { SecondFactorMail } from '../../../features/second-factor/second-factor-mail.js';
import type { Attribution } from '../../../platform/audit/audit-log.js';
import { ActionRefused } from '../action-refused.js';
import { PlayerActions } from './player-actions.js';

/** Removes every second factor of a player who lost them, and tells the owner. Withdrawals pause. */
@Injectable()
export class SecondFactorReset {
  constructor(
    private readonly actions: PlayerActions,
    private readonly mail: SecondFactorMail,
  ) {}

  /** Why the owner could not be told, if so: the factors are gone all the same. */
  async reset(who: Attribution, id: number): Promise<string | undefined> {
    const act = 'player.reset-second-factor';
    await this.actions.runAction(who, act, id, async (manager, player) => {
      if (!player.hasSecondFactor) throw new ActionRefused(`player ${id} has no second factor`);
      const before = toAuditState(await summarizeFactors(manager, id));
      await removeAllFactors(manager, id);
      return { before, after: { totp: false, passkeys: [], recovery_codes_left: 0 } };
    });
    try {
      await this.mail.deliver(id, { event: 'reset' });
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

function toAuditState({ totp, passkeys, recoveryCodesLeft }: FactorSummary) {
  return {
    totp,
    passkeys: passkeys.map(({ name }) => name),
    recovery_codes_left: recoveryCodesLeft,
  };
}
