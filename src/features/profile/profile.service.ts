import { Injectable } from '@nestjs/common';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { LinkNotFound } from '../links/links.errors.js';
import { LinksService } from '../links/links.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { OwnAccount } from './own-account.js';
import { LastWayIn } from './profile.errors.js';
import { type ConfirmedView, type ProfileView, toProfileView } from './profile.view.js';

@Injectable()
export class ProfileService {
  constructor(
    private readonly ownAccount: OwnAccount,
    private readonly links: LinksService,
    private readonly sessions: SessionsService,
  ) {}

  async show(me: PlayerIdentity): Promise<ProfileView> {
    const [player, links] = await Promise.all([
      this.ownAccount.get(me),
      this.links.findByPlayer(me.id),
    ]);
    return toProfileView(player, this.ownAccount.hasPassword(player), links);
  }

  async confirm(
    me: PlayerIdentity,
    password: string,
    context: RequestContext,
  ): Promise<ConfirmedView> {
    await this.ownAccount.requirePassword(me, password, context);
    return { confirmed_until: (await this.sessions.confirm(me)).toISOString() };
  }

  /** The password still holds when the link goes: only operators take one away, and all links with it. */
  async unlink(me: PlayerIdentity, provider: string): Promise<void> {
    await this.sessions.requireRecentSignIn(me);
    if (!this.ownAccount.hasPassword(await this.ownAccount.get(me))) throw new LastWayIn();
    if (!(await this.links.unlink(me.id, provider))) throw new LinkNotFound();
  }
}
