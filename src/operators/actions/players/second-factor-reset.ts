import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { removeAllFactors } from '../../../features/second-factor/factor-state.js';
import {
  type FactorSummary,
  summarizeFactors,
} from '../../../features/second-factor/factor-summary.js';
import { SecondFactorMail } from '../../../features/second-factor/second-factor-mail.js';
import { type Attribution, AuditLog } from '../../../platform/audit/audit-log.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { lockPlayer } from '../../../platform/auth/player-lock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActionRefused } from '../action-refused.js';
import { playerAuditSubject } from './player-subject.js';

/** Removes every second factor of a player who lost them, and tells the owner. Withdrawals pause. */
@Injectable()
export class SecondFactorReset {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly mail: SecondFactorMail,
  ) {}

  /** Why the owner could not be told, if so: the factors are gone all the same. */
  async reset(who: Attribution, id: number): Promise<string | undefined> {
    await inTransaction(this.dataSource, async (manager) => {
      await lockPlayer(manager, id);
      if (!(await manager.existsBy(Player, { id, hasSecondFactor: true })))
        throw new ActionRefused(`player ${id} has no second factor`);
      const before = toAuditState(await summarizeFactors(manager, id));
      await removeAllFactors(manager, id);
      const after = { totp: false, passkeys: [], recovery_codes_left: 0 };
      const act = 'player.reset-second-factor';
      await this.audit.write(manager, who, { act, subject: playerAuditSubject(id), before, after });
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
