import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { DataSource, type EntityManager } from 'typeorm';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import {
  type PlayerIdentity,
  requireRecentConfirmation,
} from '../../platform/auth/identity.service.js';
import { TOKEN_LIFETIME_SECONDS } from '../../platform/auth/token.service.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { LoginAddressesService } from '../accounts/login-addresses.service.js';
import { LoginService } from '../accounts/login.service.js';
import { RegistrationCap, RegistrationLimit } from '../accounts/registration-limits.js';
import {
  type PendingSignIn,
  SecondFactorLoginService,
} from '../accounts/second-factor-login.service.js';
import { FORUM_PROVIDER } from '../links/links.dto.js';
import { type LinkedPlayer, LinksService, type NewlyLinkedPlayer } from '../links/links.service.js';
import type { PendingForumTicket } from '../second-factor/first-step-tickets.js';
import type { SecondFactorRequired } from '../second-factor/second-factor.errors.js';
import { SecondFactors } from '../second-factor/second-factors.js';
import { ResponseWithCookie, signInResponse } from '../sessions/sign-in-response.js';
import { SessionsService, type StartedSession } from '../sessions/sessions.service.js';
import { TokenView } from '../sessions/sessions.view.js';
import { AutomaticRegistration } from './automatic-registration.js';
import type { AccountCredentials } from './forum-auth.dto.js';
import { TicketInvalid } from './forum-auth.errors.js';
import { type ForumTicket, ForumTickets } from './forum-tickets.js';

export class BindView extends TokenView {
  @ApiProperty({ description: 'whether this request registered the account' }) created: boolean;
}

function toBindView(account: string, token: string, created: boolean): BindView {
  return { account, token, expires_in: TOKEN_LIFETIME_SECONDS, created };
}

interface BindRequest {
  ticket: string;
  nonce?: string;
  /**
   * Identifies the account to link by password. Without a password, `player` identifies the account by JWT. With
   * neither, the caller is signed in to the linked account or to a new one.
   */
  credentials?: AccountCredentials;
  player?: PlayerIdentity;
  remember?: boolean;
  context: RequestContext;
}

interface BoundSession extends StartedSession {
  player: LinkedPlayer;
  created: boolean;
}

/** Exchanges a forum ticket for a JWT, and links the identity to an account. */
@Injectable()
export class ForumBindService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
    private readonly tickets: ForumTickets,
    private readonly logins: LoginService,
    private readonly links: LinksService,
    private readonly registration: AutomaticRegistration,
    private readonly limit: RegistrationLimit,
    private readonly cap: RegistrationCap,
    private readonly sessions: SessionsService,
    private readonly addressRecorder: LoginAddressesService,
    private readonly secondFactors: SecondFactors,
    private readonly secondFactorLogins: SecondFactorLoginService,
  ) {
    secondFactorLogins.completeWith('forum', (signIn) => this.logInAfterSecondFactor(signIn));
    secondFactorLogins.completeWith('bind', (signIn) => this.linkAfterSecondFactor(signIn));
  }

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
      // Another tab may have registered this identity first, so try to log in to that account.
      const registered = await this.logIn(ticket, request);
      if (!registered) {
        // The registration was rolled back, so the player does not exist.
        request.context.playerId = undefined;
        throw error;
      }
      return this.answer(registered, request);
    }
  }

  private async linkByPassword(
    ticket: ForumTicket,
    credentials: AccountCredentials,
    request: BindRequest,
  ) {
    const { account, password } = credentials;
    const { context, remember } = request;
    const step = { purpose: 'bind', remember, forum: toPending(ticket) } as const;
    const login = await this.logins.authenticate(account, password, context, step);
    const bound = await this.withLink(ticket, login, request, (manager, player) =>
      this.startSession(manager, player, request),
    );
    return this.answer(bound, request);
  }

  /** Requires more than a token, because a link gives lasting access to the account. */
  private async linkSignedIn(ticket: ForumTicket, identity: PlayerIdentity, request: BindRequest) {
    const { sid } = identity;
    requireRecentConfirmation(identity);
    return this.withLink(ticket, identity, request, async (manager, player) => {
      const token =
        sid === undefined
          ? (await this.startSession(manager, player, { ...request, remember: false })).token
          : await this.sessions.issueToken(player, sid, manager);
      return new ResponseWithCookie(toBindView(player.account, token, false), undefined);
    });
  }

  private async withLink<T>(
    ticket: ForumTicket,
    owner: { id: number; ver: number },
    { context }: BindRequest,
    work: (manager: EntityManager, player: LinkedPlayer) => Promise<T>,
  ): Promise<T> {
    const { player, result } = await this.rowQueue.run(`player ${owner.id}`, () =>
      this.withTicket(ticket, async (manager) => {
        const linked = await this.link(manager, owner, ticket);
        return { player: linked, result: await work(manager, linked) };
      }),
    );
    this.links.notifyOwner(player, ticket.identity, context);
    return result;
  }

  /** Throws if the password was reset meanwhile, because the reset may have removed all links. */
  private async link(
    manager: EntityManager,
    { id, ver }: { id: number; ver: number },
    { identity }: ForumTicket,
  ): Promise<NewlyLinkedPlayer> {
    const player = await this.links.link(manager, id, identity);
    if (player.ver !== ver) throw new Unauthorized();
    return player;
  }

  /** Signs in to the linked account, or returns undefined if there is none. */
  private async logIn(
    ticket: ForumTicket,
    request: BindRequest,
  ): Promise<BoundSession | undefined> {
    const { identity } = ticket;
    const owner = await this.links.findPlayer(identity, this.dataSource.manager);
    if (!owner) return undefined;
    const { player, session } = await this.rowQueue.inTransaction(
      `player ${owner.id}`,
      async (manager) => {
        const linked = await this.links.findPlayer(identity, manager);
        if (!linked || linked.hasSecondFactor) return { player: linked };
        await this.tickets.consume(manager, ticket);
        return { player: linked, session: await this.startSession(manager, linked, request) };
      },
    );
    if (player && !session) throw await this.demandSecondFactor(ticket, player, request);
    return session;
  }

  private demandSecondFactor(
    ticket: ForumTicket,
    { id: playerId, ver }: LinkedPlayer,
    { remember, context }: BindRequest,
  ): Promise<SecondFactorRequired> {
    context.playerId = playerId;
    const forum = toPending(ticket);
    return this.secondFactors.demand({ purpose: 'forum', playerId, ver, remember, forum });
  }

  private register(ticket: ForumTicket, request: BindRequest): Promise<BoundSession> {
    const { address } = request.context;
    return this.limit.run(address, () =>
      this.limit.inTurn(() =>
        this.withTicket(ticket, async (manager) => {
          const player = await this.registration.register(manager, ticket.identity, address);
          const session = await this.startSession(manager, player, request);
          // This step comes last, because the day's row stays locked until commit and every other registration waits.
          await this.cap.takePlace(manager);
          return { ...session, created: true };
        }),
      ),
    );
  }

  private withTicket<T>(
    ticket: ForumTicket,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return inTransaction(this.dataSource, async (manager) => {
      await this.tickets.consume(manager, ticket);
      return work(manager);
    });
  }

  /** Starts the session in the transaction that uses up the ticket, so that a used ticket always leads to a session. */
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
    return signInResponse(toBindView(player.account, token, created), { cookie });
  }

  private async logInAfterSecondFactor(signIn: PendingSignIn) {
    const { identity } = await this.consumePending(signIn);
    // The owner may have unlinked the identity meanwhile.
    const linked = await this.links.findPlayer(identity, signIn.manager);
    if (linked?.id !== signIn.player.id) throw new TicketInvalid();
    return this.answerSecondFactor(signIn);
  }

  private async linkAfterSecondFactor(signIn: PendingSignIn) {
    const { identity } = await this.consumePending(signIn);
    const linked = await this.links.link(signIn.manager, signIn.player.id, identity);
    signIn.afterCommit = () => this.links.notifyOwner(linked, identity, signIn.context);
    return this.answerSecondFactor(signIn);
  }

  /** Uses up the forum ticket, which stays valid until the second factor has been checked. */
  private async consumePending({ manager, ticket }: PendingSignIn): Promise<ForumTicket> {
    const { id, expiresAt, connectId, name } = ticket.forum!;
    const identity = { provider: FORUM_PROVIDER, connectId, name };
    const forumTicket = { id, expiresAt: new Date(expiresAt), identity };
    await this.tickets.consume(manager, forumTicket);
    return forumTicket;
  }

  private async answerSecondFactor(signIn: PendingSignIn) {
    const session = await this.secondFactorLogins.startSession(signIn);
    return signInResponse(toBindView(signIn.player.account, session.token, false), session);
  }
}

function toPending({ id, expiresAt, identity }: ForumTicket): PendingForumTicket {
  const { connectId, name } = identity;
  return { id, expiresAt: expiresAt.getTime(), connectId, name };
}
