import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { AccountDisabled } from '../../platform/auth/auth.errors.js';
import { addressGroup } from '../../platform/http/request/address.js';
import { AppError } from '../../platform/http/errors/app-error.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { requestLog } from '../../platform/log/log.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { type ResponseWithCookie, signInResponse } from '../sessions/response-with-cookie.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { BadCredentials } from './accounts.errors.js';
import { CredentialsLookup, type LoginCredentials } from './credentials-lookup.js';
import { KnownAddresses } from './known-addresses.js';
import { type LoginView, toLoginView } from './login.view.js';
import { LoginThrottle, throttleSubject } from './login-throttle.js';
import { NewDeviceMail } from './new-device-mail.js';
import { Passwords } from './passwords.js';
import { GuessingAlert } from './guessing-alert.js';
import { UnknownNameBuckets } from './unknown-name-buckets.js';

/** Counted from the start, so that the first of each shows as a rise. */
const OUTCOMES = ['ok', 'bad_credentials', 'login_throttled', 'account_disabled', 'failed'];

export interface LoginForm {
  account: string;
  password: string;
  remember?: boolean;
}

@Injectable()
export class LoginService {
  private readonly logins: Counter<'outcome'>;

  constructor(
    private readonly credentials: CredentialsLookup,
    private readonly passwords: Passwords,
    private readonly throttle: LoginThrottle,
    private readonly addresses: KnownAddresses,
    private readonly sessions: SessionsService,
    private readonly newDeviceMail: NewDeviceMail,
    private readonly unknownNameBuckets: UnknownNameBuckets,
    private readonly guessingAlert: GuessingAlert,
    metrics: Metrics,
  ) {
    this.logins = new Counter({
      name: 'gatehouse_logins_total',
      help: 'Logins: ok, or the name of the error',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
    for (const outcome of OUTCOMES) this.logins.inc({ outcome }, 0);
  }

  async login(
    { account, password, remember }: LoginForm,
    context: RequestContext,
  ): Promise<ResponseWithCookie<LoginView>> {
    const player = await this.authenticate(account, password, context);
    if (!player.fresh) await this.rememberAddress(player, context);
    const { token, cookie } = await this.sessions.start(player, { context, remember });
    if (player.isNewAddress) this.newDeviceMail.announce(player.id, context);
    const { account: name, serverId } = player;
    return signInResponse(toLoginView(name, token, serverId), cookie);
  }

  /** A login without its session. Alone it makes no address known: whoever has a token could do that unseen. */
  async authenticate(
    account: string,
    password: string,
    context: RequestContext,
  ): Promise<LoginCredentials> {
    try {
      const player = await this.verify(account, password, context);
      this.logins.inc({ outcome: 'ok' });
      return player;
    } catch (error) {
      this.logins.inc({ outcome: error instanceof AppError ? error.error : 'failed' });
      throw error;
    }
  }

  private async verify(
    account: string,
    password: string,
    context: RequestContext,
  ): Promise<LoginCredentials> {
    const { address } = context;
    const found = await this.credentials.findForLogin(account, addressGroup(address));
    context.playerId = found?.id;
    const right = this.passwords.matches(password, found?.password);
    // Also for a player: an unknown name must not take longer.
    const bucket = this.unknownNameBuckets.bucketOf(account);
    const subject = found ? throttleSubject(found.id) : bucket;
    const locked = await this.throttle.admit(
      { subject, address, spared: Boolean(found?.known) },
      right,
    );
    if (found && locked.includes('account')) this.guessingAlert.notify(found);
    if (!found || !right) throw new BadCredentials();
    if (found.disabledAt) throw new AccountDisabled();
    return found;
  }

  private async rememberAddress(
    { id }: LoginCredentials,
    { address, requestId }: RequestContext,
  ): Promise<void> {
    try {
      await this.addresses.remember(id, addressGroup(address));
    } catch (error) {
      // Two first logins may collide here; one of them is enough.
      requestLog(requestId, LoginService.name).warn(
        `a login address could not be recorded: ${(error as Error).message}`,
      );
    }
  }
}
