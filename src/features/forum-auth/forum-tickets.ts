import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SignedTokens } from '../../platform/auth/signed-tokens.js';
import { FORUM_PROVIDER, type ThirdPartyIdentity } from '../links/links.dto.js';
import { SingleUseService } from '../links/single-use.service.js';
import { TicketInvalid } from './forum-auth.errors.js';

const PURPOSE = 'forum ticket';

interface SignedIdentity {
  connectId: string;
  name?: string;
  nonceHash?: string;
}

export interface ForumTicket {
  id: string;
  expiresAt: Date;
  identity: ThirdPartyIdentity;
}

/** Issues tickets that prove a forum identity. A ticket is valid for five minutes and works once. */
@Injectable()
export class ForumTickets {
  constructor(
    private readonly tokens: SignedTokens,
    private readonly singleUse: SingleUseService,
  ) {}

  issue(connectId: string, nonce?: string, name?: string): string {
    return this.tokens.sign(PURPOSE, { connectId, name, nonceHash: hashOf(nonce) });
  }

  /**
   * Accepts a ticket only with the nonce of its login, or without a nonce if the login had none. This prevents an
   * attacker from making a front end use a ticket from the attacker's login.
   */
  verify(text: string, nonce?: string): ForumTicket {
    const signed = this.tokens.verify<SignedIdentity>(PURPOSE, text);
    if (!signed || signed.content.nonceHash !== hashOf(nonce)) throw new TicketInvalid();
    const { id, expiresAt, content } = signed;
    const { connectId, name } = content;
    const identity = { provider: FORUM_PROVIDER, connectId, name };
    return { id, expiresAt, identity };
  }

  /** Call this in the transaction that needs the ticket, so that a rollback keeps it valid. */
  async consume(manager: EntityManager, { id, expiresAt }: ForumTicket): Promise<void> {
    if (!(await this.singleUse.use(`ticket ${id}`, expiresAt, manager))) throw new TicketInvalid();
  }
}

function hashOf(nonce: string | undefined): string | undefined {
  return nonce && createHash('sha256').update(nonce).digest('base64url');
}
