import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SignedTokens } from '../../platform/auth/signed-tokens.js';
import { FORUM_PROVIDER, type ThirdPartyIdentity } from '../links/third-party-identity.js';
import { TicketInvalid } from './forum-auth.errors.js';
import { UsedTokenStore } from '../links/used-token-store.js';

const PURPOSE = 'forum ticket';

interface SignedIdentity {
  connectId: string;
  nonceHash?: string;
}

export interface Ticket {
  id: string;
  expiresAt: Date;
  identity: ThirdPartyIdentity;
}

/** A ticket proves an identity of the forum, for five minutes and one use. */
@Injectable()
export class Tickets {
  constructor(
    private readonly tokens: SignedTokens,
    private readonly singleUse: UsedTokenStore,
  ) {}

  issue(connectId: string, nonce?: string): string {
    return this.tokens.sign(PURPOSE, { connectId, nonceHash: hashOf(nonce) });
  }

  /**
   * Valid only with the nonce of its login, or with none if the login had none. So nobody can make a front end that
   * sends a nonce use a ticket from somebody else's login.
   */
  verify(text: string, nonce?: string): Ticket {
    const signed = this.tokens.verify<SignedIdentity>(PURPOSE, text);
    if (!signed || signed.content.nonceHash !== hashOf(nonce)) throw new TicketInvalid();
    const { id, expiresAt, content } = signed;
    const identity = { provider: FORUM_PROVIDER, connectId: content.connectId };
    return { id, expiresAt, identity };
  }

  /** Call it in the transaction that the ticket is used for: a rollback keeps the ticket valid. */
  async consume(manager: EntityManager, { id, expiresAt }: Ticket): Promise<void> {
    if (!(await this.singleUse.use(`ticket ${id}`, expiresAt, manager))) throw new TicketInvalid();
  }
}

function hashOf(nonce: string | undefined): string | undefined {
  return nonce && createHash('sha256').update(nonce).digest('base64url');
}
