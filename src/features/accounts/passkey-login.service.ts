import { Injectable } from '@nestjs/common';
import { requireAdmitted } from '../../platform/auth/ban.js';
import { lockUnchangedPlayer } from '../../platform/auth/player-row-lock.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { addressGroup } from '../../platform/http/request/address.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { credentialIdOf, type PasskeyResponse, Passkeys } from '../second-factor/passkeys.js';
import { SecondFactorInvalid } from '../second-factor/second-factor.errors.js';
import type { UseFactor } from '../second-factor/second-factors.js';
import { type ResponseWithCookie, signInResponse } from '../sessions/sign-in-response.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { type LoginView, toLoginView } from './accounts.view.js';
import { CredentialsService, type LoginCredentials } from './credentials.service.js';
import { LoginAddressesService } from './login-addresses.service.js';
import { LoginThrottle, throttleSubject, UnknownNameBuckets } from './login-throttle.js';
import { LoginService } from './login.service.js';

/** Signs in with a passkey alone. The passkey counts as both steps, because the device has verified its owner. */
@Injectable()
export class PasskeyLoginService {
  constructor(
    private readonly rowQueue: RowQueue,
    private readonly passkeys: Passkeys,
    private readonly credentials: CredentialsService,
    private readonly logins: LoginService,
    private readonly throttle: LoginThrottle,
    private readonly unknownNameBuckets: UnknownNameBuckets,
    private readonly sessions: SessionsService,
    private readonly addresses: LoginAddressesService,
  ) {}

  async signIn(
    response: PasskeyResponse,
    remember: boolean | undefined,
    context: RequestContext,
  ): Promise<ResponseWithCookie<LoginView>> {
    const { player, token, cookie } = await this.logins.count(async () => {
      const { player: owner, use } = await this.verify(response, context);
      return { player: owner, ...(await this.start(owner, use, remember, context)) };
    });
    await this.addresses.record(player.id, context);
    return signInResponse(toLoginView(player.account, token, player.serverId), { cookie });
  }

  /** A wrong passkey counts towards the login limits like a wrong password. */
  private async verify(
    response: PasskeyResponse,
    context: RequestContext,
  ): Promise<{ player: LoginCredentials; use: UseFactor }> {
    const { address } = context;
    const ownerId = await this.passkeys.findOwner(response);
    const player =
      ownerId === undefined
        ? undefined
        : await this.credentials.findByIdForLogin(ownerId, addressGroup(address));
    context.playerId = player?.id;
    const use = player && (await this.passkeys.match(player.id, response, 'login'));
    const subject = player
      ? throttleSubject(player.id)
      : this.unknownNameBuckets.bucketOf(credentialIdOf(response) ?? '');
    await this.throttle.admit(
      { subject, address, spared: Boolean(player?.known) },
      use !== undefined,
    );
    if (!player || !use) throw new SecondFactorInvalid();
    requireAdmitted(player);
    return { player, use };
  }

  private start(
    player: LoginCredentials,
    use: UseFactor,
    remember: boolean | undefined,
    context: RequestContext,
  ) {
    return this.rowQueue.inTransaction(`player ${player.id}`, async (manager) => {
      const unchanged = { ...player, hasSecondFactor: true };
      if (!(await lockUnchangedPlayer(manager, unchanged)) || !(await use(manager)))
        throw new SecondFactorInvalid();
      return this.sessions.start(player, { context, remember, withSecondFactor: true }, manager);
    });
  }
}
