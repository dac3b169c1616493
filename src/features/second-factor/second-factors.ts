import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import { type NewFirstStepTicket, FirstStepTickets } from './first-step-tickets.js';
import { type PasskeyPurpose, type PasskeyResponse, Passkeys } from './passkeys.js';
import { RecoveryCodes } from './recovery-codes.js';
import { PlayerPasskey, PlayerTotp, RecoveryCode } from './second-factor.entities.js';
import { type SecondFactorMethod, SecondFactorRequired } from './second-factor.errors.js';
import { AuthenticatorAppService } from './authenticator-app.service.js';

export type SecondFactorProof =
  | { method: 'totp' | 'recovery_code'; code: string }
  | { method: 'passkey'; response: PasskeyResponse };

/** Uses up a factor in the caller's transaction. Returns false if another request has already used the factor. */
export type UseFactor = (manager: EntityManager) => Promise<boolean>;

export interface FactorSummary {
  totp: boolean;
  passkeys: PlayerPasskey[];
  recoveryCodesLeft: number;
}

export async function summarizeFactors(
  manager: EntityManager,
  playerId: number,
): Promise<FactorSummary> {
  const [totp, passkeys, recoveryCodesLeft] = await Promise.all([
    manager.existsBy(PlayerTotp, { playerId, confirmedAt: Not(IsNull()) }),
    manager.find(PlayerPasskey, { where: { playerId }, order: { id: 'ASC' } }),
    manager.countBy(RecoveryCode, { playerId, usedAt: IsNull() }),
  ]);
  return { totp, passkeys, recoveryCodesLeft };
}

@Injectable()
export class SecondFactors {
  constructor(
    private readonly dataSource: DataSource,
    private readonly totp: AuthenticatorAppService,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly passkeys: Passkeys,
    private readonly tickets: FirstStepTickets,
  ) {}

  summarize(playerId: number): Promise<FactorSummary> {
    return summarizeFactors(this.dataSource.manager, playerId);
  }

  async demand(ticket: NewFirstStepTicket): Promise<SecondFactorRequired> {
    const { totp, passkeys, recoveryCodesLeft } = await this.summarize(ticket.playerId);
    const methods: Array<[SecondFactorMethod, boolean]> = [
      ['totp', totp],
      ['passkey', passkeys.length > 0],
      ['recovery_code', recoveryCodesLeft > 0],
    ];
    const present = methods.filter(([, isPresent]) => isPresent).map(([method]) => method);
    return new SecondFactorRequired(this.tickets.issue(ticket), present);
  }

  /** Returns a function that uses up the code or assertion, or undefined if it is wrong. */
  match(
    playerId: number,
    proof: SecondFactorProof,
    purpose: PasskeyPurpose,
  ): Promise<UseFactor | undefined> {
    if (proof.method === 'passkey') return this.passkeys.match(playerId, proof.response, purpose);
    const { method, code } = proof;
    return method === 'totp'
      ? this.totp.match(playerId, code)
      : this.recoveryCodes.match(playerId, code);
  }
}
