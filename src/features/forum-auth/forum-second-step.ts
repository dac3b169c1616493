import { Injectable } from '@nestjs/common';
import {
  type PendingSignIn,
  SecondStepService,
} from '../accounts/second-step/second-step.service.js';
import { LinksService } from '../links/links.service.js';
import { FORUM_PROVIDER } from '../links/third-party-identity.js';
import type { PendingForumTicket, SecondStepTicket } from '../second-factor/second-step-tickets.js';
import { signInResponse } from '../sessions/response-with-cookie.js';
import { toBindView } from './bind.view.js';
import { TicketInvalid } from './forum-auth.errors.js';
import { type Ticket, Tickets } from './tickets.js';

/** Ends sign-ins by a forum ticket whose account has a second factor. The ticket is used up then, not before. */
@Injectable()
export class ForumSecondStep {
  constructor(
    private readonly tickets: Tickets,
    private readonly links: LinksService,
    private readonly secondSteps: SecondStepService,
  ) {
    secondSteps.completeWith('forum', async (signIn) => {
      const { identity } = await this.consume(signIn);
      // It may have been unlinked meanwhile.
      const linked = await this.links.findPlayer(identity, signIn.manager);
      if (linked?.id !== signIn.player.id) throw new TicketInvalid();
      return this.answer(signIn);
    });
    secondSteps.completeWith('bind', async (signIn) => {
      const { identity } = await this.consume(signIn);
      await this.links.link(signIn.manager, signIn.player.id, identity);
      return this.answer(signIn);
    });
  }

  private async consume({ manager, ticket }: PendingSignIn): Promise<Ticket> {
    const forumTicket = toForumTicket(ticket);
    await this.tickets.consume(manager, forumTicket);
    return forumTicket;
  }

  private async answer(signIn: PendingSignIn) {
    const { token, cookie } = await this.secondSteps.startSession(signIn);
    return signInResponse(toBindView(signIn.player.account, token, false), cookie);
  }
}

/** For the ticket of the second step. */
export function toPending({ id, expiresAt, identity }: Ticket): PendingForumTicket {
  return { id, expiresAt: expiresAt.getTime(), connectId: identity.connectId };
}

function toForumTicket({ forum }: SecondStepTicket): Ticket {
  const { id, expiresAt, connectId } = forum!;
  const identity = { provider: FORUM_PROVIDER, connectId };
  return { id, expiresAt: new Date(expiresAt), identity };
}
