import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountDisabled } from '../../platform/auth/auth.errors.js';
import { Player } from '../../platform/auth/player.entity.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { LinksService } from '../links/links.service.js';
import type { PlayerLink } from '../links/player-link.entity.js';
import { requestLog } from '../../platform/log/log.js';
import { CodeInvalid } from '../verify/verify.errors.js';
import { VerifyService } from '../verify/verify.service.js';
import { type ResponseWithCookie, signInResponse } from '../sessions/response-with-cookie.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { type StoredCredentials, CredentialsLookup } from './credentials-lookup.js';
import { LoginThrottle, throttleSubject } from './login-throttle.js';
import { SignInAddressRecorder } from './sign-in-address-recorder.js';
import { Passwords } from './passwords.js';
import { PasswordResetNotice } from './password-reset-notice.js';
import { type ResetView, toResetView } from './reset.view.js';

export interface PasswordResetForm {
  account: string;
  email: string;
  code: string;
  password: string;
  dropLinks?: boolean;
}

@Injectable()
export class PasswordResetService {
  constructor(
    private readonly verify: VerifyService,
    private readonly credentials: CredentialsLookup,
    private readonly passwords: Passwords,
    private readonly throttle: LoginThrottle,
    private readonly links: LinksService,
    private readonly sessions: SessionsService,
    private readonly addressRecorder: SignInAddressRecorder,
    private readonly notice: PasswordResetNotice,
  ) {}

  async reset(
    form: PasswordResetForm,
    context: RequestContext,
  ): Promise<ResponseWithCookie<ResetView>> {
    const { email, code } = form;
    const found = await this.credentials.find(form.account);
    // Compared here, not in SQL: to MySQL josé@ equals jose@, who may be somebody else.
    const owner = found?.email?.toLowerCase() === email ? found : undefined;
    context.playerId = owner?.id;
    const { player, links, token } = await this.verify.redeem(
      email,
      code,
      context.address,
      (manager) => this.replacePassword(manager, owner, form, context),
    );
    // Known from now on, so strangers' failures do not keep the owner out.
    await this.addressRecorder.record(player.id, context);
    await this.unlock(player, context);
    this.notice.send(player, links, context);
    return signInResponse(toResetView(player.account, token, links));
  }

  private async replacePassword(
    manager: EntityManager,
    owner: StoredCredentials | undefined,
    { password, dropLinks }: PasswordResetForm,
    context: RequestContext,
  ): Promise<{ player: Player; links: PlayerLink[]; token: string }> {
    // Answered and counted like a wrong code, so that a code cannot be used to ask which accounts exist.
    if (!owner) throw new CodeInvalid();
    if (owner.disabledAt) throw new AccountDisabled();
    // The old-format token is the password's hash: it only ends when the password really changes.
    if (this.passwords.matches(password, owner.password))
      throw new InvalidRequest([{ field: 'password', message: 'must not be the present one' }]);
    const { affected } = await manager.update(
      Player,
      { id: owner.id, email: owner.email! },
      { password: this.passwords.hash(password), ver: () => 'ver + 1' },
    );
    if (affected !== 1) throw new CodeInvalid();
    if (dropLinks) await this.links.unlinkAll(manager, owner.id);
    const links = await this.links.findByPlayer(owner.id, manager);
    const player = await manager.findOneByOrFail(Player, { id: owner.id });
    await this.sessions.endOthers(player.id, undefined, manager);
    const { token } = await this.sessions.start(player, { context }, manager);
    return { player, links, token };
  }

  /** Whoever proved the mailbox need not wait for the lock that his own tries have earned. */
  private async unlock({ id }: Player, { address, requestId }: RequestContext): Promise<void> {
    try {
      await this.throttle.unlock(throttleSubject(id), address);
    } catch (error) {
      requestLog(requestId, PasswordResetService.name).warn(
        `a lock was not ended by a reset: ${(error as Error).message}`,
      );
    }
  }
}
