import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdmitted } from '../../platform/auth/ban.js';
import { describeClosing, Player } from '../../platform/auth/player.entity.js';
import { currentDate } from '../../platform/database/database-clock.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { describeIdentity } from '../links/links.dto.js';
import { LinksService } from '../links/links.service.js';
import type { PlayerLink } from '../links/player-link.entity.js';
import { SecondFactors } from '../second-factor/second-factors.js';
import { type ResponseWithCookie, signInResponse } from '../sessions/sign-in-response.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { CodeInvalid } from '../verify/verify.errors.js';
import { VerifyService } from '../verify/verify.service.js';
import type { ResetPasswordDto } from './accounts.dto.js';
import { type ResetView, toResetView } from './accounts.view.js';
import { CredentialsService, type StoredCredentials } from './credentials.service.js';
import { LoginAddressesService } from './login-addresses.service.js';
import { LoginThrottle, throttleSubject } from './login-throttle.js';
import { PasswordRules } from './password-rules.js';
import { Passwords } from './passwords.js';

/** `links` lists the linked identities that can still sign in, and is empty if there are none. */
const PASSWORD_RESET_MAIL = {
  name: 'reset',
  sample: {
    account: 'dragon_slayer',
    address: '203.0.113.7',
    time: new Date('2026-11-15T12:00:00Z'),
    links: 'forum 10293 (2026-11-14)',
  },
  requiredValues: ['account', 'links'],
} satisfies MailKind;

@Injectable()
export class PasswordResetService {
  private readonly logger = new Logger(PasswordResetService.name);

  constructor(
    private readonly verify: VerifyService,
    private readonly credentials: CredentialsService,
    private readonly passwords: Passwords,
    private readonly passwordRules: PasswordRules,
    private readonly throttle: LoginThrottle,
    private readonly links: LinksService,
    private readonly sessions: SessionsService,
    private readonly rowQueue: RowQueue,
    private readonly addresses: LoginAddressesService,
    private readonly secondFactors: SecondFactors,
    private readonly mail: MailService,
  ) {
    mail.register(PASSWORD_RESET_MAIL);
  }

  async reset(
    form: ResetPasswordDto,
    context: RequestContext,
  ): Promise<ResponseWithCookie<ResetView>> {
    const { email, code } = form;
    this.passwordRules.requireStrong(form.password, form);
    const found = await this.credentials.find(form.account);
    // MySQL treats josé@ and jose@ as equal, although they may belong to different people.
    const owner = found?.email?.toLowerCase() === email ? found : undefined;
    context.playerId = owner?.id;
    const redeem = () =>
      this.verify.redeem(email, code, context.address, (manager) =>
        this.replacePassword(manager, owner, form, context),
      );
    const { player, links, token } = await (owner
      ? this.rowQueue.run(`player ${owner.id}`, redeem)
      : redeem());
    context.change = { what: 'reset' };
    // The owner has proved access to the e-mail address, so a lock caused by earlier attempts ends.
    await this.throttle.unlock(throttleSubject(player.id), context.address);
    this.notifyOwner(player, links, context);
    if (token === undefined) {
      if (player.closingAt) this.logger.log(describeClosing(player, null));
      const { id: playerId, ver } = player;
      throw await this.secondFactors.demand({ purpose: 'reset', playerId, ver });
    }
    // The client's address becomes known, so that failed logins by strangers do not lock the owner out.
    await this.addresses.record(player.id, context);
    return signInResponse(toResetView(player.account, token, links));
  }

  private async replacePassword(
    manager: EntityManager,
    owner: StoredCredentials | undefined,
    { password, dropLinks }: ResetPasswordDto,
    context: RequestContext,
  ): Promise<{ player: Player; links: PlayerLink[]; token?: string }> {
    // An unknown e-mail address gets the same response as a wrong code, so that accounts cannot be enumerated.
    if (!owner) throw new CodeInvalid();
    requireAdmitted(owner);
    // The old-format token is the password's hash, so resetting to the same password would leave that token valid.
    if (this.passwords.matches(password, owner.password))
      throw new InvalidRequest([
        { field: 'password', message: 'must not be the current password' },
      ]);
    const { affected } = await manager.update(
      Player,
      { id: owner.id, email: owner.email! },
      {
        password: this.passwords.hash(password),
        ver: () => 'ver + 1',
        withdrawPausedAt: currentDate(),
        imported: false,
      },
    );
    if (affected !== 1) throw new CodeInvalid();
    if (dropLinks) await this.links.unlinkAll(manager, owner.id);
    const links = await this.links.findByPlayer(owner.id, manager);
    const player = await manager.findOneByOrFail(Player, { id: owner.id });
    await this.sessions.markEnded(manager, player.id);
    // The code proves only the first step, so no session starts. A scheduled closing is cancelled, because the owner
    // could not cancel it if a thief had set up the second factor.
    if (player.hasSecondFactor) {
      await manager.update(Player, { id: player.id }, { closingAt: null });
      return { player, links };
    }
    const { token } = await this.sessions.start(player, { context }, manager);
    return { player, links, token };
  }

  private notifyOwner(player: Player, links: PlayerLink[], { address }: RequestContext): void {
    const day = ({ createdAt }: PlayerLink) => createdAt.toISOString().slice(0, 10);
    const values = {
      account: player.account,
      address,
      time: new Date(),
      links: links.map((one) => `${describeIdentity(one)}, ${day(one)}`).join('; '),
    };
    this.mail.notify(player, PASSWORD_RESET_MAIL, values);
  }
}
