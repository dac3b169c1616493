import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SignedTokens } from '../../platform/auth/signed-tokens.js';
import { SingleUseService } from '../links/single-use.service.js';
import { SecondFactorInvalid } from './second-factor.errors.js';

const PURPOSE = 'second step';

/**
 * Each value is the kind of request that issued the ticket. `forum` signs in with a linked identity, and `bind` links
 * with a password.
 */
export type SignInPurpose = 'login' | 'forum' | 'bind' | 'reset';

export interface PendingForumTicket {
  id: string;
  expiresAt: number;
  connectId: string;
  name?: string | null;
}

export interface NewFirstStepTicket {
  purpose: SignInPurpose;
  playerId: number;
  /** A ticket contains the account's version, because a password change must invalidate earlier tickets. */
  ver: number;
  remember?: boolean;
  forum?: PendingForumTicket;
}

export interface FirstStepTicket extends NewFirstStepTicket {
  id: string;
  expiresAt: Date;
}

/** Issues tickets that prove the first step of a sign-in. They are valid for five minutes and work once. */
@Injectable()
export class FirstStepTickets {
  constructor(
    private readonly tokens: SignedTokens,
    private readonly usedTokens: SingleUseService,
  ) {}

  issue(ticket: NewFirstStepTicket): string {
    return this.tokens.sign(PURPOSE, ticket);
  }

  verify(text: string): FirstStepTicket {
    const signed = this.tokens.verify<NewFirstStepTicket>(PURPOSE, text);
    if (!signed) throw new SecondFactorInvalid();
    const { id, expiresAt, content } = signed;
    return { ...content, id, expiresAt };
  }

  /** Call this in the sign-in's transaction, so that a rollback keeps the ticket valid. */
  async consume(manager: EntityManager, { id, expiresAt }: FirstStepTicket): Promise<void> {
    if (!(await this.usedTokens.use(`second step ${id}`, expiresAt, manager)))
      throw new SecondFactorInvalid();
  }
}
