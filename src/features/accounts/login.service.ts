import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Counter } from 'prom-client';
import { Repository } from 'typeorm';
import { requireAdmitted } from '../../platform/auth/ban.js';
import { Player } from '../../platform/auth/player.entity.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { AppError } from '../../platform/http/errors/app-error.js';
import { addressGroup } from '../../platform/http/request/address.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { NewFirstStepTicket } from '../second-factor/first-step-tickets.js';
import { SecondFactors } from '../second-factor/second-factors.js';
import { type TrustCookie } from '../sessions/session-cookie.js';
import { type ResponseWithCookie, signInResponse } from '../sessions/sign-in-response.js';
import { SessionsService, type StartedSession } from '../sessions/sessions.service.js';
import type { LoginDto } from './accounts.dto.js';
import { BadCredentials } from './accounts.errors.js';
import { type LoginView, toLoginView } from './accounts.view.js';
import { CredentialsService, type LoginCredentials } from './credentials.service.js';
import { GuessingAlert } from './guessing-alert.js';
import { LoginAddressesService } from './login-addresses.service.js';
import { LoginThrottle, throttleSubject, UnknownNameBuckets } from './login-throttle.js';
import { NewDeviceMail } from './new-device-mail.js';
import { Passwords } from './passwords.js';

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
    private readonly credentials: CredentialsService,
    private readonly passwords: Passwords,
    private readonly throttle: LoginThrottle,
    private readonly addresses: LoginAddressesService,
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
      'Logins by outcome: ok or the error name',
      ['outcome', OUTCOMES],
    );
  }

  async login(
    { account, password, remember }: LoginDto,
    context: RequestContext,
    readTrust: (playerId: number) => TrustCookie | undefined,
  ): Promise<ResponseWithCookie<LoginView>> {
    const { player, trusted } = await this.count(async () => {
      const verified = await this.verify(account, password, context);
      if (!verified.hasSecondFactor) return { player: verified };
      const session = await this.startTrusted(verified, remember, context, readTrust);
      if (!session) throw await this.demandSecondStep(verified, { purpose: 'login', remember });
      return { player: verified, trusted: session };
    });
    const [session] = await Promise.all([
      trusted ?? this.sessions.start(player, { context, remember }),
      player.fresh ? undefined : this.addresses.remember(player.id, context),
    ]);
    // For an imported player, every address is new at the first sign-in, so no e-mail is sent.
    if (player.isNewAddress && !player.imported) this.newDeviceMail.announce(player.id, context);
    return signInResponse(toLoginView(player.account, session.token, player.serverId), session);
  }

  /**
   * Checks a login without starting a session. The address does not become known, because otherwise anyone with a token
   * could add addresses unnoticed. With `signIn`, an account with a second factor gets a ticket for the second step
   * instead.
   */
  async authenticate(
    account: string,
    password: string,
    context: RequestContext,
    signIn?: Omit<NewFirstStepTicket, 'playerId' | 'ver'>,
  ): Promise<LoginCredentials> {
    return this.count(async () => {
      const player = await this.verify(account, password, context);
      if (signIn && player.hasSecondFactor) throw await this.demandSecondStep(player, signIn);
      return player;
    });
  }

  private demandSecondStep(
    { id: playerId, ver }: LoginCredentials,
    signIn: Omit<NewFirstStepTicket, 'playerId' | 'ver'>,
  ) {
    return this.secondFactors.demand({ ...signIn, playerId, ver });
  }

  /** Starts a session in a trusted browser. As after a second step, the failed attempts no longer count. */
  private async startTrusted(
    player: LoginCredentials,
    remember: boolean | undefined,
    context: RequestContext,
    readTrust: (playerId: number) => TrustCookie | undefined,
  ): Promise<StartedSession | undefined> {
    const trust = readTrust(player.id);
    const session =
      trust && (await this.sessions.startTrusted(player, trust, { context, remember }));
    if (session) await this.throttle.unlock(throttleSubject(player.id), context.address);
    return session;
  }

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
    // Every password is compared with all hash formats, so that the response time does not reveal who was imported.
    const isLegacy = this.passwords.matchesLegacy(password, found?.password);
    const right =
      this.passwords.matches(password, found?.password) || (isLegacy && Boolean(found?.imported));
    // The bucket is computed for every name, so that unknown names do not take longer.
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

  /** Stores the hash in the current format at the first sign-in, unless the password was changed meanwhile. */
  private async endImport({ id, password: stored }: LoginCredentials, password: string) {
    const change = { password: this.passwords.hash(password), imported: false };
    await this.rowQueue.run(`player ${id}`, () =>
      this.players.update({ id, password: stored }, change),
    );
  }
}
