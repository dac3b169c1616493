import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { AccountDisabled } from '../auth/auth.errors.js';
import { Player } from '../auth/player.entity.js';
import { TokenService } from '../auth/token.service.js';
import { addressGroup } from '../http/request/address.js';
import { AppError } from '../http/errors/app-error.js';
import type { RequestContext } from '../http/request/request-context.js';
import { requestLog } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';
import { BadCredentials } from './accounts.errors.js';
import { CredentialsLookup, type LoginCredentials } from './credentials-lookup.js';
import { KnownAddresses } from './known-addresses.js';
import { type LoginView, toLoginView } from './token.view.js';
import { LoginThrottle, subjectOf } from './login-throttle.js';
import { Passwords } from './passwords.js';
import { SiegeAlarm } from './siege-alarm.js';
import { UnknownNames } from './unknown-names.js';

@Injectable()
export class LoginService {
  private readonly logins: Counter<'outcome'>;

  constructor(
    private readonly credentials: CredentialsLookup,
    private readonly passwords: Passwords,
    private readonly throttle: LoginThrottle,
    private readonly addresses: KnownAddresses,
    private readonly tokens: TokenService,
    private readonly unknownNames: UnknownNames,
    private readonly sieges: SiegeAlarm,
    metrics: Metrics,
  ) {
    this.logins = new Counter({
      name: 'gatehouse_logins_total',
      help: 'Logins by outcome: ok, or the name of the error',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
  }

  async login(account: string, password: string, context: RequestContext): Promise<LoginView> {
    const player = await this.authenticate(account, password, context);
    return toLoginView(player, this.tokens.sign(player));
  }

  /** A login without its token. The player has only the columns that a login needs. */
  async authenticate(account: string, password: string, context: RequestContext): Promise<Player> {
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
  ): Promise<Player> {
    const address = addressGroup(context.address);
    const found = await this.credentials.findForLogin(account, address);
    const right = this.passwords.matches(password, found?.password);
    // Also for a player: an unknown name must not take longer.
    const bucket = this.unknownNames.bucketOf(account);
    const subject = found ? subjectOf(found.id) : bucket;
    const locked = await this.throttle.admit(
      { subject, address: context.address, spared: Boolean(found?.known) },
      right,
    );
    if (found && locked.includes('account')) this.sieges.tell(found);
    if (!found || !right) throw new BadCredentials();
    if (found.disabledAt) throw new AccountDisabled();
    if (!found.fresh) await this.rememberAddress(found, address, context);
    const { id, ver, serverId, email } = found;
    return Object.assign(new Player(), { id, account: found.account, ver, serverId, email });
  }

  private async rememberAddress(
    { id }: LoginCredentials,
    address: string,
    { requestId }: RequestContext,
  ): Promise<void> {
    try {
      await this.addresses.remember(id, address);
    } catch (error) {
      // Two first logins may collide here; one of them is enough.
      requestLog(requestId, LoginService.name).warn(
        `a login address was not written down: ${(error as Error).message}`,
      );
    }
  }
}
