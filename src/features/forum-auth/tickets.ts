import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FORUM_PROVIDER, type ThirdPartyIdentity } from '../links/third-party-identity.js';
import { TicketInvalid } from './forum-auth.errors.js';
import { SignedValues } from './signed-values.js';
import { UsedTokenStore } from '../links/used-token-store.js';

export interface Ticket {
  id: string;
  expiresAt: Date;
  identity: ThirdPartyIdentity;
}

/** A ticket proves an identity of the forum, for five minutes and one use. */
@Injectable()
export class Tickets {
  constructor(
    private readonly signedValues: SignedValues,
    private readonly singleUse: UsedTokenStore,
  ) {}

  issue(connectId: string, nonce?: string): string {
    return this.signedValues.sign('ticket', randomUUID(), { connectId, nonceHash: hashOf(nonce) });
  }

  /**
   * Valid only with the nonce of its login, or with none if the login had none. So nobody can make a front end that
   * sends a nonce use a ticket from somebody else's login.
   */
  verify(text: string, nonce?: string): Ticket {
    const signed = this.signedValues.verify('ticket', text);
    if (!signed || signed.content.nonceHash !== hashOf(nonce)) throw new TicketInvalid();
    const { id, expiresAt, content } = signed;
    return {
      id,
      expiresAt,
      identity: { provider: FORUM_PROVIDER, connectId: String(content.connectId) },
    };
  }

  /** Call it in the transaction that the ticket is used for: a rollback keeps the ticket valid. */
  async consume(manager: EntityManager, { id, expiresAt }: Ticket): Promise<void> {
    if (!(await this.singleUse.use(`ticket ${id}`, expiresAt, manager))) throw new TicketInvalid();
  }
}

function hashOf(nonce: string | undefined): string | undefined {
  return nonce && createHash('sha256').update(nonce).digest('base64url');
}
