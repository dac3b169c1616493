import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Counter } from 'prom-client';
import { Repository } from 'typeorm';
import { requireAdmitted } from '../../platform/auth/ban.js';
import { Player } from '../../platform/auth/player.entity.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { addressGroup } from '../../platform/http/request/address.js';
import { AppError } from '../../platform/http/errors/app-error.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { SecondFactors } from '../second-factor/second-factors.js';
import type { NewTicket } from '../second-factor/second-step-tickets.js';
import { type ResponseWithCookie, signInResponse } from '../sessions/response-with-cookie.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { LoginDto } from './dto/login.dto.js';
import { BadCredentials } from './accounts.errors.js';
import { CredentialsLookup, type LoginCredentials } from './credentials-lookup.js';
import { type LoginView, toLoginView } from './login.view.js';
import { LoginThrottle, throttleSubject } from './login-throttle.js';
import { NewDeviceMail } from './new-device-mail.js';
import { Passwords } from './passwords.js';
import { GuessingAlert } from './guessing-alert.js';
import { SignInAddressRecorder } from './sign-in-address-recorder.js';
import { UnknownNameBuckets } from './unknown-name-buckets.js';

const OUTCOMES = [
  'ok',
  'second_factor_required',
  'second_factor_invalid',
  'bad_credentials',
  'login_throttled',
  'account_disabled',
  'failed',
];

@Injectable()
export class LoginService {
  private readonly logins: Counter<'outcome'>;

  constructor(
    private readonly credentials: CredentialsLookup,
    private readonly passwords: Passwords,
    private readonly throttle: LoginThrottle,
    private readonly addressRecorder: SignInAddressRecorder,
    @InjectRepository(Player) private readonly players: Repository<Player>,
    private readonly rowQueue: RowQueue,
    private readonly sessions: SessionsService,
    private readonly newDeviceMail: NewDeviceMail,
    private readonly unknownNameBuckets: UnknownNameBuckets,
    private readonly guessingAlert: GuessingAlert,
    private readonly secondFactors: SecondFactors,
    metrics: Metrics,
  ) {
    this.logins = metrics.counter(
      'gatehouse_logins_total',
      'Logins: ok, or the name of the error',
      ['outcome', OUTCOMES],
    );
  }

  async login(
    { account, password, remember }: LoginDto,
    context: RequestContext,
  ): Promise<ResponseWithCookie<LoginView>> {
    const step = { purpose: 'login', remember } as const;
    const player = await this.authenticate(account, password, context, step);
    // In parallel: one after the other, they could wait for locks twice as long.
    const [{ token, cookie }] = await Promise.all([
      this.sessions.start(player, { context, remember }),
      player.fresh ? undefined : this.addressRecorder.remember(player.id, context),
    ]);
    // At the first sign-in of an imported player every address is new.
    if (player.isNewAddress && !player.imported) this.newDeviceMail.announce(player.id, context);
    const { account: name, serverId } = player;
    return signInResponse(toLoginView(name, token, serverId), cookie);
  }

  /**
   * A login without its session. It does not make the address known: anybody with a token could do that unnoticed. With
   * `signIn`, an account with a second factor gets a ticket for that step instead.
   */
  async authenticate(
    account: string,
    password: string,
    context: RequestContext,
    signIn?: Omit<NewTicket, 'playerId' | 'ver'>,
  ): Promise<LoginCredentials> {
    return this.count(async () => {
      const player = await this.verify(account, password, context);
      if (signIn && player.hasSecondFactor)
        throw await this.secondFactors.demand({ ...signIn, playerId: player.id, ver: player.ver });
      return player;
    });
  }

  /** Counts what becomes of a login. */
  async count<T>(login: () => Promise<T>): Promise<T> {
    try {
      const result = await login();
      this.logins.inc({ outcome: 'ok' });
      return result;
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
    // All hash forms are tried for everybody: the time taken must not reveal who was imported.
    const isLegacy = this.passwords.matchesLegacy(password, found?.password);
    const right =
      this.passwords.matches(password, found?.password) || (isLegacy && Boolean(found?.imported));
    // Computed for every name: an unknown one must not take longer.
    const bucket = this.unknownNameBuckets.bucketOf(account);
    const subject = found ? throttleSubject(found.id) : bucket;
    const locked = await this.throttle.admit(
      { subject, address, spared: Boolean(found?.known) },
      right,
      right && !found?.hasSecondFactor,
    );
    if (found && locked.includes('account')) this.guessingAlert.notify(found);
    if (!found || !right) throw new BadCredentials();
    requireAdmitted(found);
    if (found.imported) await this.endImport(found, password);
    return found;
  }

  /** Stores the usual hash at the first sign-in, unless the password was changed meanwhile. */
  private async endImport({ id, password: stored }: LoginCredentials, password: string) {
    const change = { password: this.passwords.hash(password), imported: false };
    await this.rowQueue.run(`player ${id}`, () =>
      this.players.update({ id, password: stored }, change),
    );
  }
}
