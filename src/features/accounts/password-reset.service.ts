import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdmitted } from '../../platform/auth/ban.js';
import { describeClosing } from '../../platform/auth/closing-record.js';
import { Player } from '../../platform/auth/player.entity.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { LinksService } from '../links/links.service.js';
import type { PlayerLink } from '../links/player-link.entity.js';
import { formatMailTime } from '../../platform/mail/format-mail-time.js';
import type { MailKind } from '../../platform/mail/mail-kind.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { CodeInvalid } from '../verify/verify.errors.js';
import { VerifyService } from '../verify/verify.service.js';
import { SecondFactors } from '../second-factor/second-factors.js';
import { type ResponseWithCookie, signInResponse } from '../sessions/response-with-cookie.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { ResetPasswordDto } from './dto/reset-password.dto.js';
import { type StoredCredentials, CredentialsLookup } from './credentials-lookup.js';
import { LoginThrottle, throttleSubject } from './login-throttle.js';
import { SignInAddressRecorder } from './sign-in-address-recorder.js';
import { Passwords } from './passwords.js';
import { type ResetView, toResetView } from './reset.view.js';

/** `links` can still sign in; empty if there are none. */
const PASSWORD_RESET_MAIL = {
  name: 'reset',
  sample: {
    account: 'dragon_slayer',
    address: '203.0.113.7',
    time: '2026-11-15 12:00 UTC',
    links: 'forum 10293 (2026-11-14)',
  },
  requiredValues: ['account', 'links'],
} satisfies MailKind;

@Injectable()
export class PasswordResetService {
  private readonly logger = new Logger(PasswordResetService.name);

  constructor(
    private readonly verify: VerifyService,
    private readonly credentials: CredentialsLookup,
    private readonly passwords: Passwords,
    private readonly throttle: LoginThrottle,
    private readonly links: LinksService,
    private readonly sessions: SessionsService,
    private readonly rowQueue: RowQueue,
    private readonly addressRecorder: SignInAddressRecorder,
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
    const found = await this.credentials.find(form.account);
    // Compared here, not in SQL: to MySQL josé@ equals jose@, who may be somebody else.
    const owner = found?.email?.toLowerCase() === email ? found : undefined;
    context.playerId = owner?.id;
    const row = owner ? `player ${owner.id}` : `verify ${email}`;
    const { player, links, token } = await this.rowQueue.run(row, () =>
      this.verify.redeem(email, code, context.address, (manager) =>
        this.replacePassword(manager, owner, form, context),
      ),
    );
    // An owner who proved the mailbox need not wait for a lock caused by earlier attempts.
    await this.throttle.unlock(throttleSubject(player.id), context.address);
    this.notifyOwner(player, links, context);
    if (token === undefined) {
      if (player.closingAt) this.logger.log(describeClosing(player, null));
      const { id: playerId, ver } = player;
      throw await this.secondFactors.demand({ purpose: 'reset', playerId, ver });
    }
    // The address is known from now on, so strangers' failures do not keep the owner out.
    await this.addressRecorder.record(player.id, context);
    return signInResponse(toResetView(player.account, token, links));
  }

  private async replacePassword(
    manager: EntityManager,
    owner: StoredCredentials | undefined,
    { password, dropLinks }: ResetPasswordDto,
    context: RequestContext,
  ): Promise<{ player: Player; links: PlayerLink[]; token?: string }> {
    // Answered and counted like a wrong code, so that a code cannot be used to find out which accounts exist.
    if (!owner) throw new CodeInvalid();
    requireAdmitted(owner);
    // The old-format token is the password's hash: it only ends when the password really changes.
    if (this.passwords.matches(password, owner.password))
      throw new InvalidRequest([{ field: 'password', message: 'must not be the present one' }]);
    const { affected } = await manager.update(
      Player,
      { id: owner.id, email: owner.email! },
      {
        password: this.passwords.hash(password),
        ver: () => 'ver + 1',
        withdrawPausedAt: new Date(),
        imported: false,
      },
    );
    if (affected !== 1) throw new CodeInvalid();
    if (dropLinks) await this.links.unlinkAll(manager, owner.id);
    const links = await this.links.findByPlayer(owner.id, manager);
    const player = await manager.findOneByOrFail(Player, { id: owner.id });
    await this.sessions.endOthers(player.id, undefined, manager);
    // The mailbox is the first step alone. Without the second, which may be a thief's, the owner could not keep the account.
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
      time: formatMailTime(new Date()),
      links: links.map((one) => `${one.provider} ${one.connectId} (${day(one)})`).join('; '),
    };
    this.mail.notify(player, PASSWORD_RESET_MAIL, values);
  }
}
