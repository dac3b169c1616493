import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { FORUM_PROVIDER } from '../links/third-party-identity.js';
import { LinksService } from '../links/links.service.js';
import type { LoginFlow } from './oauth/cookie-state-store.js';
import type { ForumLogin } from './oauth/forum-callback.guard.js';
import { HOME } from './oauth/return-path.js';
import { Tickets } from './tickets.js';

/** The front end's address for a person who comes back from the forum. */
@Injectable()
export class ForumLoginService {
  constructor(
    private readonly environment: Environment,
    private readonly links: LinksService,
    private readonly tickets: Tickets,
  ) {}

  async landingUrl({ connectId, name, returnTo, nonce }: ForumLogin): Promise<string> {
    const linked = await this.links.exists({ provider: FORUM_PROVIDER, connectId });
    return this.signInUrl({
      ticket: this.tickets.issue(connectId, nonce),
      linked: linked ? '1' : '0',
      return_to: returnTo,
      ...(nonce && { nonce }),
      ...(name && { name }),
    });
  }

  /** After an error the person may still sign in another way, and go on to the same page. */
  errorLandingUrl(error: string, { returnTo, nonce }: LoginFlow = { returnTo: HOME }): string {
    return this.signInUrl({
      error,
      ...(returnTo !== HOME && { return_to: returnTo }),
      ...(nonce && { nonce }),
    });
  }

  /** In the fragment: browsers send it to no server and keep it out of the referrer. */
  private signInUrl(fragment: Record<string, string>): string {
    return `${this.environment.FRONTEND_URL}/signin#${new URLSearchParams(fragment).toString()}`;
  }
}
