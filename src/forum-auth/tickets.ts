import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FORUM, type Identity } from '../links/identity.js';
import { TicketInvalid } from './forum-auth.errors.js';
import { SignedValues } from './signed-values.js';
import { SingleUse } from './single-use.js';

export interface Ticket {
  id: string;
  expiresAt: Date;
  identity: Identity;
}

/** What proves, for five minutes and one use, which identity the forum gave. */
@Injectable()
export class Tickets {
  constructor(
    private readonly signedValues: SignedValues,
    private readonly once: SingleUse,
  ) {}

  issue(connectId: string, nonce?: string): string {
    return this.signedValues.sign('ticket', randomUUID(), { connectId, nonceHash: hashOf(nonce) });
  }

  /**
   * Good only with the nonce that its login was started with, or with none if it had none: a front end that sends
   * its own cannot be made to use a ticket that somebody else was given.
   */
  read(text: string, nonce?: string): Ticket {
    const sealed = this.signedValues.verify('ticket', text);
    if (!sealed || sealed.content.nonceHash !== hashOf(nonce)) throw new TicketInvalid();
    const { id, expiresAt, content } = sealed;
    return { id, expiresAt, identity: { provider: FORUM, connectId: String(content.connectId) } };
  }

  /** Belongs into the transaction of what the ticket is used for: where that fails, the ticket stays good. */
  async use(manager: EntityManager, { id, expiresAt }: Ticket): Promise<void> {
    if (!(await this.once.use(`ticket ${id}`, expiresAt, manager))) throw new TicketInvalid();
  }
}

function hashOf(nonce: string | undefined): string | undefined {
  return nonce && createHash('sha256').update(nonce).digest('base64url');
}
