import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type FactorSummary, summarizeFactors } from './factor-summary.js';
import type { PasskeyPurpose } from './passkey-challenges.js';
import { type PasskeyResponse, Passkeys } from './passkeys.js';
import { RecoveryCodes } from './recovery-codes.js';
import { type SecondFactorMethod, SecondFactorRequired } from './second-factor.errors.js';
import { type NewTicket, SecondStepTickets } from './second-step-tickets.js';
import { TotpService } from './totp.service.js';
import type { UseFactor } from './use-factor.js';

export type SecondFactorProof =
  | { method: 'totp' | 'recovery_code'; code: string }
  | { method: 'passkey'; response: PasskeyResponse };

/** The second factors of an account, and whether a proof is right. */
@Injectable()
export class SecondFactors {
  constructor(
    private readonly dataSource: DataSource,
    private readonly totp: TotpService,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly passkeys: Passkeys,
    private readonly tickets: SecondStepTickets,
  ) {}

  summarize(playerId: number): Promise<FactorSummary> {
    return summarizeFactors(this.dataSource.manager, playerId);
  }

  /** The answer to a right first step. */
  async demand(ticket: NewTicket): Promise<SecondFactorRequired> {
    const { totp, passkeys, recoveryCodesLeft } = await this.summarize(ticket.playerId);
    const methods: Array<[SecondFactorMethod, boolean]> = [
      ['totp', totp],
      ['passkey', passkeys.length > 0],
      ['recovery_code', recoveryCodesLeft > 0],
    ];
    const present = methods.filter(([, isPresent]) => isPresent).map(([method]) => method);
    return new SecondFactorRequired(this.tickets.issue(ticket), present);
  }

  /** How to use the proof up; undefined if it is wrong. */
  async match(
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
