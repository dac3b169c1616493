import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { FORUM } from '../links/identity.js';
import { LinksService } from '../links/links.service.js';
import { ForumDenied, ForumUnavailable } from './forum-auth.errors.js';
import { ForumClient } from './forum-client.js';
import type { ForumReply } from './forum-reply.js';
import { LoginFlows } from './login-flows.js';
import { HOME, returnPath } from './return-path.js';
import { Tickets } from './tickets.js';

/** The way to the forum and back to the front end. */
@Injectable()
export class ForumLoginService {
  constructor(
    private readonly environment: Environment,
    private readonly flows: LoginFlows,
    private readonly forum: ForumClient,
    private readonly links: LinksService,
    private readonly tickets: Tickets,
  ) {}

  begin(returnTo: unknown, nonce?: string): { url: string; state: string; sealed: string } {
    const { state, challenge, sealed } = this.flows.start(returnPath(returnTo), nonce);
    return { url: this.forum.authorizeUrl(state, challenge), state, sealed };
  }

  /** Where to send the person who comes back from the forum. */
  async finish({ state, code, error }: ForumReply, sealed: string | undefined): Promise<string> {
    const { verifier, returnTo, nonce } = await this.flows.take(state, sealed);
    if (/denied|cancel/i.test(error)) throw new ForumDenied();
    if (error !== '' || code === '')
      throw new ForumUnavailable('the person came back with an error, or without a code');
    const connectId = await this.forum.identify(code, verifier);
    const linked = await this.links.exists({ provider: FORUM, connectId });
    return this.landing({
      ticket: this.tickets.issue(connectId, nonce),
      linked: linked ? '1' : '0',
      return_to: returnTo,
      ...(nonce && { nonce }),
    });
  }

  /** The same where it failed: on from there, another way leads to where they wanted to go. */
  giveUp(error: string, { state }: ForumReply, sealed: string | undefined): string {
    const { returnTo = HOME, nonce } = this.flows.recall(state, sealed) ?? {};
    return this.landing({
      error,
      ...(returnTo !== HOME && { return_to: returnTo }),
      ...(nonce && { nonce }),
    });
  }

  /** In the fragment, which browsers send to no server and keep out of the referrer. */
  private landing(news: Record<string, string>): string {
    return `${this.environment.FRONTEND_URL}/signin#${new URLSearchParams(news).toString()}`;
  }
}
