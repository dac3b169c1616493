import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { RegistrationLimit } from '../accounts/registration-limit.js';
import { LoginService } from '../accounts/login.service.js';
import { SignInAddressRecorder } from '../accounts/sign-in-address-recorder.js';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { requireRecentConfirmation } from '../../platform/auth/recent-proof.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { type LinkedPlayer, LinksService } from '../links/links.service.js';
import type { SecondFactorRequired } from '../second-factor/second-factor.errors.js';
import { SecondFactors } from '../second-factor/second-factors.js';
import { ResponseWithCookie, signInResponse } from '../sessions/response-with-cookie.js';
import { SessionsService, type StartedSession } from '../sessions/sessions.service.js';
import { AutomaticRegistration } from './automatic-registration.js';
import { type BindView, toBindView } from './bind.view.js';
import type { AccountCredentials } from './forum-auth.dto.js';
import { toPending } from './forum-second-step.js';
import { type Ticket, Tickets } from './tickets.js';

interface BindRequest {
  ticket: string;
  nonce?: string;
  /** The account to link, by password or by JWT. With neither, it is the linked account, or a new one. */
  credentials?: AccountCredentials;
  player?: PlayerIdentity;
  remember?: boolean;
  context: RequestContext;
}

interface BoundSession extends StartedSession {
  player: LinkedPlayer;
  created: boolean;
}

/** Exchanges a ticket for a JWT. */
@Injectable()
export class BindService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly tickets: Tickets,
    private readonly logins: LoginService,
    private readonly links: LinksService,
    private readonly registration: AutomaticRegistration,
    private readonly limit: RegistrationLimit,
    private readonly sessions: SessionsService,
    private readonly addressRecorder: SignInAddressRecorder,
    private readonly secondFactors: SecondFactors,
  ) {}

  async bind(request: BindRequest): Promise<ResponseWithCookie<BindView>> {
    const { credentials, player } = request;
    const ticket = this.tickets.verify(request.ticket, request.nonce);
    if (credentials) return this.linkByPassword(ticket, credentials, request);
    if (player) return this.linkSignedIn(ticket, player, request);

    const linked = await this.logIn(ticket, request);
    if (linked) return this.answer(linked, request);
    try {
      return await this.answer(await this.register(ticket, request), request);
    } catch (error) {
      // Another tab may have registered first, perhaps with the last place of the day. Then log in to that account.
      const registered = await this.logIn(ticket, request);
      if (!registered) {
        // Rolled back: the player does not exist.
        request.context.playerId = undefined;
        throw error;
      }
      return this.answer(registered, request);
    }
  }

  private async linkByPassword(
    ticket: Ticket,
    credentials: AccountCredentials,
    request: BindRequest,
  ) {
    const { account, password } = credentials;
    const { context, remember } = request;
    const step = { purpose: 'bind', remember, forum: toPending(ticket) } as const;
    const login = await this.logins.authenticate(account, password, context, step);
    const bound = await this.withLink(ticket, login, (manager, player) =>
      this.startSession(manager, player, request),
    );
    return this.answer(bound, request);
  }

  /** A link is a permanent way to sign in, so a token alone is not enough to create one. */
  private async linkSignedIn(ticket: Ticket, identity: PlayerIdentity, request: BindRequest) {
    const { sid } = identity;
    requireRecentConfirmation(identity);
    return this.withLink(ticket, identity, async (manager, player) => {
      const token =
        sid === undefined
          ? (await this.startSession(manager, player, { ...request, remember: false })).token
          : await this.sessions.issueToken(player, sid, manager);
      return new ResponseWithCookie(toBindView(player.account, token, false), undefined);
    });
  }

  private withLink<T>(
    ticket: Ticket,
    owner: { id: number; ver: number },
    work: (manager: EntityManager, player: LinkedPlayer) => Promise<T>,
  ): Promise<T> {
    return this.rowQueue.run(`player ${owner.id}`, () =>
      this.withTicket(ticket, async (manager) =>
        work(manager, await this.link(manager, owner, ticket)),
      ),
    );
  }

  /**
   * Refused if the password was reset meanwhile: the reset may have dropped all links, and this one would survive it.
   */
  private async link(
    manager: EntityManager,
    { id, ver }: { id: number; ver: number },
    { identity }: Ticket,
  ): Promise<LinkedPlayer> {
    const player = await this.links.link(manager, id, identity);
    if (player.ver !== ver) throw new Unauthorized();
    return player;
  }

  private async logIn(ticket: Ticket, request: BindRequest): Promise<BoundSession | undefined> {
    const { player, session } = await inTransaction(this.dataSource, async (manager) => {
      const linked = await this.links.findPlayer(ticket.identity, manager);
      if (!linked || linked.hasSecondFactor) return { player: linked };
      await this.tickets.consume(manager, ticket);
      return { player: linked, session: await this.startSession(manager, linked, request) };
    });
    if (player && !session) throw await this.demandSecondFactor(ticket, player, request);
    return session;
  }

  private demandSecondFactor(
    ticket: Ticket,
    { id: playerId, ver }: LinkedPlayer,
    { remember, context }: BindRequest,
  ): Promise<SecondFactorRequired> {
    context.playerId = playerId;
    const forum = toPending(ticket);
    return this.secondFactors.demand({ purpose: 'forum', playerId, ver, remember, forum });
  }

  private register(ticket: Ticket, request: BindRequest): Promise<BoundSession> {
    const { address } = request.context;
    return this.limit.run(address, () =>
      this.withTicket(ticket, async (manager) => {
        const player = await this.registration.register(manager, ticket.identity, address);
        return { ...(await this.startSession(manager, player, request)), created: true };
      }),
    );
  }

  private withTicket<T>(ticket: Ticket, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.dataSource, async (manager) => {
      await this.tickets.consume(manager, ticket);
      return work(manager);
    });
  }

  /** In the transaction that uses up the ticket, so that its user is always signed in. */
  private async startSession(
    manager: EntityManager,
    player: LinkedPlayer,
    { context, remember }: BindRequest,
  ): Promise<BoundSession> {
    const started = await this.sessions.start(player, { context, remember }, manager);
    return { ...started, player, created: false };
  }

  private async answer(
    { player, token, cookie, created }: BoundSession,
    { context }: BindRequest,
  ): Promise<ResponseWithCookie<BindView>> {
    await this.addressRecorder.record(player.id, context);
    return signInResponse(toBindView(player.account, token, created), cookie);
  }
}
