import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { lockUnchangedPlayer } from '../../platform/auth/player-row-lock.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { AppError } from '../../platform/http/errors/app-error.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { PasskeyPurpose } from '../second-factor/passkeys.js';
import { SecondFactorMail } from '../second-factor/second-factor-mail.js';
import { SecondFactorInvalid } from '../second-factor/second-factor.errors.js';
import { type SecondFactorProof, SecondFactors } from '../second-factor/second-factors.js';
import { LoginThrottle, throttleSubject } from './login-throttle.js';

const METHODS = ['totp', 'passkey', 'recovery_code'];
const OUTCOMES = ['ok', 'second_factor_invalid', 'login_throttled', 'failed'];

interface ProvingPlayer {
  id: number;
  ver: number;
}

@Injectable()
export class SecondFactorCheckService {
  private readonly checks: Counter<'method' | 'outcome'>;

  constructor(
    private readonly rowQueue: RowQueue,
    private readonly throttle: LoginThrottle,
    private readonly factors: SecondFactors,
    private readonly mail: SecondFactorMail,
    { registry }: Metrics,
  ) {
    this.checks = new Counter({
      name: 'gatehouse_second_factors_total',
      help: 'Second factors by method (totp, passkey, recovery_code) and outcome: ok or the error name',
      labelNames: ['method', 'outcome'],
      registers: [registry],
    });
    for (const method of METHODS)
      for (const outcome of OUTCOMES) this.checks.inc({ method, outcome }, 0);
  }

  /**
   * Runs the work in the transaction that uses up the code or assertion, so that each works only once. As in a login,
   * the proof is checked before the attempt is counted, because the counters decide whether the caller learns the
   * result.
   */
  async prove<T>(
    player: ProvingPlayer,
    proof: SecondFactorProof,
    purpose: PasskeyPurpose,
    context: RequestContext,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    context.secondFactor = proof.method;
    const attempt = {
      subject: throttleSubject(player.id),
      address: context.address,
      spared: true,
      isSecondFactor: true,
      isConfirmation: purpose === 'confirm',
    };
    const admit = async (right: boolean) => {
      const locked = await this.throttle.admit(attempt, right);
      if (locked.includes('second_factor'))
        this.mail.send(player.id, { event: 'guessed' }, context);
    };
    const { value } = await this.count(proof, async () => {
      const useFactor = await this.factors.match(player.id, proof, purpose);
      await admit(useFactor !== undefined);
      if (!useFactor) throw new SecondFactorInvalid();
      const result = await this.rowQueue.inTransaction(`player ${player.id}`, async (manager) => {
        const unchanged = { ...player, hasSecondFactor: true };
        if (!(await lockUnchangedPlayer(manager, unchanged))) throw new SecondFactorInvalid();
        return (await useFactor(manager)) ? { value: await work(manager) } : undefined;
      });
      if (result) return result;
      // Another request used the code or assertion first, so this attempt counts as a wrong one.
      await admit(false);
      throw new SecondFactorInvalid();
    });
    if (proof.method === 'recovery_code') this.mail.send(player.id, { event: 'used' }, context);
    return value;
  }

  private async count<T>({ method }: SecondFactorProof, check: () => Promise<T>): Promise<T> {
    try {
      const result = await check();
      this.checks.inc({ method, outcome: 'ok' });
      return result;
    } catch (error) {
      this.checks.inc({ method, outcome: error instanceof AppError ? error.error : 'failed' });
      throw error;
    }
  }
}
