import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Counter } from 'prom-client';
import { lockUnchangedPlayer } from '../../../platform/auth/player-lock.js';
import { RowQueue } from '../../../platform/database/row-queue.js';
import { AppError } from '../../../platform/http/errors/app-error.js';
import type { RequestContext } from '../../../platform/http/request/request-context.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import type { PasskeyPurpose } from '../../second-factor/passkey-challenges.js';
import { SecondFactorInvalid } from '../../second-factor/second-factor.errors.js';
import { SecondFactorMail } from '../../second-factor/second-factor-mail.js';
import { type SecondFactorProof, SecondFactors } from '../../second-factor/second-factors.js';
import { LoginThrottle, throttleSubject } from '../login-throttle.js';

const METHODS = ['totp', 'passkey', 'recovery_code'];
const OUTCOMES = ['ok', 'second_factor_invalid', 'login_throttled', 'failed'];

interface ProvingPlayer {
  id: number;
  ver: number;
}

/** Checks second factors under the limits for wrong ones. */
@Injectable()
export class SecondFactorCheck {
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
      help: 'Second factors by method (totp, passkey, recovery_code): ok, or the name of the error',
      labelNames: ['method', 'outcome'],
      registers: [registry],
    });
    for (const method of METHODS)
      for (const outcome of OUTCOMES) this.checks.inc({ method, outcome }, 0);
  }

  /** Does the work in the transaction that uses the proof up, so that each serves once. */
  async prove<T>(
    player: ProvingPlayer,
    proof: SecondFactorProof,
    purpose: PasskeyPurpose,
    context: RequestContext,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const { method } = proof;
    context.secondFactor = method;
    try {
      const result = await this.use(player, proof, purpose, context, work);
      this.checks.inc({ method, outcome: 'ok' });
      if (method === 'recovery_code') this.mail.send(player.id, { event: 'used' }, context);
      return result;
    } catch (error) {
      this.checks.inc({ method, outcome: error instanceof AppError ? error.error : 'failed' });
      throw error;
    }
  }

  /** Compares first and counts second, as a login does: the count decides whether the caller learns the result. */
  private async use<T>(
    player: ProvingPlayer,
    proof: SecondFactorProof,
    purpose: PasskeyPurpose,
    context: RequestContext,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const attempt = {
      subject: throttleSubject(player.id),
      address: context.address,
      spared: true,
      isSecondStep: true,
      isConfirmation: purpose === 'confirm',
    };
    const admit = async (right: boolean) => {
      const locked = await this.throttle.admit(attempt, right);
      if (locked.includes('second_factor'))
        this.mail.send(player.id, { event: 'guessed' }, context);
    };
    const useFactor = await this.factors.match(player.id, proof, purpose);
    await admit(useFactor !== undefined);
    if (!useFactor) throw new SecondFactorInvalid();
    const result = await this.rowQueue.inTransaction(`player ${player.id}`, async (manager) => {
      const unchanged = { ...player, hasSecondFactor: true };
      if (!(await lockUnchangedPlayer(manager, unchanged))) throw new SecondFactorInvalid();
      return (await useFactor(manager)) ? { value: await work(manager) } : undefined;
    });
    if (result) return result.value;
    // Another request used it first, so this one is a wrong one.
    await admit(false);
    throw new SecondFactorInvalid();
  }
}
