import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SignedTokens } from '../../platform/auth/signed-tokens.js';
import { UsedTokenStore } from '../links/used-token-store.js';
import { SecondFactorInvalid } from './second-factor.errors.js';

const PURPOSE = 'second step';

/** Which call gave the ticket: `forum` signs in by a link, `bind` links by password. */
export type SignInPurpose = 'login' | 'forum' | 'bind' | 'reset';

/** A forum ticket that the second step uses up. */
export interface PendingForumTicket {
  id: string;
  expiresAt: number;
  connectId: string;
}

export interface NewTicket {
  purpose: SignInPurpose;
  playerId: number;
  /** Of the account: a ticket from before a new password is void. */
  ver: number;
  remember?: boolean;
  forum?: PendingForumTicket;
}

export interface SecondStepTicket extends NewTicket {
  id: string;
  expiresAt: Date;
}

/** A ticket proves the first step of a sign-in, for five minutes and one success, on any instance. */
@Injectable()
export class SecondStepTickets {
  constructor(
    private readonly tokens: SignedTokens,
    private readonly usedTokens: UsedTokenStore,
  ) {}

  issue(ticket: NewTicket): string {
    return this.tokens.sign(PURPOSE, ticket);
  }

  /** Throws if it is forged or too old. */
  verify(text: string): SecondStepTicket {
    const signed = this.tokens.verify<NewTicket>(PURPOSE, text);
    if (!signed) throw new SecondFactorInvalid();
    const { id, expiresAt, content } = signed;
    return { ...content, id, expiresAt };
  }

  /** In the transaction of the sign-in: a rollback keeps the ticket valid. */
  async consume(manager: EntityManager, { id, expiresAt }: SecondStepTicket): Promise<void> {
    if (!(await this.usedTokens.use(`second step ${id}`, expiresAt, manager)))
      throw new SecondFactorInvalid();
  }
}
