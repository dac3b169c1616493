import { Injectable } from '@nestjs/common';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { requireRecentConfirmation } from '../../platform/auth/recent-proof.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { SecondFactorCheck } from '../accounts/second-step/second-factor-check.js';
import { toProof } from '../accounts/second-step/second-step.dto.js';
import { LinkNotFound } from '../links/links.errors.js';
import { LinksService } from '../links/links.service.js';
import { type SecondFactorProof, SecondFactors } from '../second-factor/second-factors.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { OwnAccount } from './own-account.js';
import type { ConfirmDto } from './profile.dto.js';
import { LastWayIn } from './profile.errors.js';
import { type ConfirmedView, type ProfileView, toProfileView } from './profile.view.js';

@Injectable()
export class ProfileService {
  constructor(
    private readonly ownAccount: OwnAccount,
    private readonly links: LinksService,
    private readonly sessions: SessionsService,
    private readonly factors: SecondFactors,
    private readonly check: SecondFactorCheck,
  ) {}

  async show(me: PlayerIdentity): Promise<ProfileView> {
    const [player, links, factors] = await Promise.all([
      this.ownAccount.get(me),
      this.links.findByPlayer(me.id),
      this.factors.summarize(me.id),
    ]);
    return toProfileView(player, this.ownAccount.hasPassword(player), links, factors);
  }

  async confirm(
    me: PlayerIdentity,
    { password, ...factor }: ConfirmDto,
    context: RequestContext,
  ): Promise<ConfirmedView> {
    const until =
      password === undefined
        ? await this.confirmByFactor(me, toProof(factor), context)
        : await this.confirmByPassword(me, password, context);
    return { confirmed_until: until.toISOString() };
  }

  private async confirmByPassword(me: PlayerIdentity, password: string, context: RequestContext) {
    await this.ownAccount.requirePassword(me, password, context);
    return this.sessions.confirm(me);
  }

  private confirmByFactor(me: PlayerIdentity, proof: SecondFactorProof, context: RequestContext) {
    return this.check.prove(me, proof, 'confirm', context, (manager) =>
      this.sessions.confirm(me, { withSecondFactor: true }, manager),
    );
  }

  /** The password still exists when the link is removed: only operators remove passwords, together with all links. */
  async unlink(me: PlayerIdentity, provider: string): Promise<void> {
    requireRecentConfirmation(me);
    if (!this.ownAccount.hasPassword(await this.ownAccount.get(me))) throw new LastWayIn();
    if (!(await this.links.unlink(me.id, provider))) throw new LinkNotFound();
  }
}
