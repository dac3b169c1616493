import { Injectable, Logger } from '@nestjs/common';
import { And, DataSource, type EntityManager, LessThan, MoreThan } from 'typeorm';
import { LoginEvent } from '../../platform/audit/audit.entity.js';
import { findIdsByName, GENERATED_NAME } from '../../platform/auth/account-name.js';
import { SignInAgain } from '../../platform/auth/auth.errors.js';
import {
  type PlayerIdentity,
  requireRecentConfirmation,
  requireRecentProof,
} from '../../platform/auth/identity.service.js';
import { lockUnchangedPlayer } from '../../platform/auth/player-row-lock.js';
import { Player } from '../../platform/auth/player.entity.js';
import { claimName } from '../../platform/auth/reserved-names.js';
import { Settings } from '../../platform/config/settings.js';
import { DAY_MS } from '../../platform/config/time.js';
import { currentTime } from '../../platform/database/database-clock.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { EventOutbox } from '../../platform/events/event-outbox.js';
import { AppError } from '../../platform/http/errors/app-error.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { toProof } from '../accounts/accounts.dto.js';
import { AccountTaken } from '../accounts/accounts.errors.js';
import { isReservedName } from '../accounts/registration.service.js';
import { SecondFactorCheckService } from '../accounts/second-factor-check.service.js';
import { LinkNotFound } from '../links/links.errors.js';
import { LinksService } from '../links/links.service.js';
import { type SecondFactorProof, SecondFactors } from '../second-factor/second-factors.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { type TokenView, toTokenView } from '../sessions/sessions.view.js';
import { OwnAccount } from './own-account.js';
import type { ConfirmDto } from './profile.dto.js';
import {
  type ConfirmedView,
  type ProfileView,
  type SignInsView,
  toProfileView,
  toSignInView,
} from './profile.view.js';

const SIGN_INS = 50;
const SIGN_IN_DAYS = 90;

class LastWayIn extends AppError {
  constructor() {
    super(
      'last_way_in',
      'Without a password, this identity is the only way to sign in. Set a password first.',
    );
  }
}

class NameIsFixed extends AppError {
  constructor() {
    super(
      'act_refused',
      'Only a name that the forum sign-in generated can be replaced, and only before you enter a server.',
    );
  }
}

@Injectable()
export class ProfileService {
  private readonly logger = new Logger(ProfileService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly rowQueue: RowQueue,
    private readonly ownAccount: OwnAccount,
    private readonly links: LinksService,
    private readonly sessions: SessionsService,
    private readonly factors: SecondFactors,
    private readonly check: SecondFactorCheckService,
    private readonly events: EventOutbox,
  ) {}

  async show(me: PlayerIdentity): Promise<ProfileView> {
    const [player, links, factors] = await Promise.all([
      this.ownAccount.get(me),
      this.links.findByPlayer(me.id),
      this.factors.summarize(me.id),
    ]);
    return toProfileView(player, this.ownAccount.hasPassword(player), links, factors);
  }

  async signIns(playerId: number, before?: string): Promise<SignInsView> {
    const since = new Date(currentTime() - SIGN_IN_DAYS * DAY_MS);
    const span =
      before === undefined ? MoreThan(since) : And(MoreThan(since), LessThan(new Date(before)));
    const events = await this.dataSource.getRepository(LoginEvent).find({
      where: { playerId, createdAt: span },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: SIGN_INS,
    });
    return { sign_ins: events.map(toSignInView) };
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

  /**
   * Replaces the name that the forum sign-in generated. A game server that knows the old name would give the player's
   * roles to the next account with that name, so the name is fixed once the player has entered a server.
   */
  async chooseName(
    me: PlayerIdentity,
    account: string,
    context: RequestContext,
  ): Promise<TokenView> {
    requireRecentProof(me);
    if (GENERATED_NAME.test(account))
      throw new InvalidRequest([{ field: 'account', message: 'must not be a generated name' }]);
    if (isReservedName(this.settings.current, account)) throw new AccountTaken();
    try {
      const token = await this.rowQueue.inTransaction(`player ${me.id}`, (manager) =>
        this.rename(manager, me, account, context),
      );
      context.change = { what: 'name', detail: `${me.account} → ${account}` };
      this.logger.log(`player ${me.id} replaced the generated name ${me.account} with ${account}`);
      return toTokenView(account, token);
    } catch (error) {
      throw isDuplicateKey(error) ? new AccountTaken() : error;
    }
  }

  private async rename(
    manager: EntityManager,
    me: PlayerIdentity,
    account: string,
    context: RequestContext,
  ): Promise<string> {
    const { id, ver, sid } = me;
    if (!(await lockUnchangedPlayer(manager, me))) throw new SignInAgain();
    const player = await manager.findOneByOrFail(Player, { id });
    if (!GENERATED_NAME.test(player.account) || player.enterCount > 0 || player.gameAccount)
      throw new NameIsFixed();
    const ids = await findIdsByName(manager, account);
    if (ids.length > 0) throw new AccountTaken();
    const owner = { id, account, ver };
    const token =
      sid === undefined
        ? (await this.sessions.start(owner, { context }, manager)).token
        : await this.sessions.issueToken(owner, sid, manager);
    // The name is claimed after the session, because registrations wait for a name that is not committed yet.
    if (!(await claimName(manager, account))) throw new AccountTaken();
    await manager.update(Player, { id }, { account });
    await this.events.announce(manager, 'player.renamed', id);
    return token;
  }

  /**
   * Removes a link if the account has a password. No lock is needed, because every change that removes a password also
   * removes all links. The queue bounds how many requests wait for a locked link.
   */
  async unlink(me: PlayerIdentity, provider: string, context: RequestContext): Promise<void> {
    requireRecentConfirmation(me);
    if (!this.ownAccount.hasPassword(await this.ownAccount.get(me))) throw new LastWayIn();
    const isRemoved = await this.rowQueue.inTransaction(`player ${me.id}`, (manager) =>
      this.links.unlink(me.id, provider, manager),
    );
    if (!isRemoved) throw new LinkNotFound();
    context.change = { what: 'unlinked', detail: provider };
  }
}
