import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { RegistrationLimit } from '../accounts/registration-limit.js';
import { LoginService } from '../accounts/login.service.js';
import { SignInAddressRecorder } from '../accounts/sign-in-address-recorder.js';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { lockPlayer } from '../../platform/auth/player-lock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { type LinkedPlayer, LinksService } from '../links/links.service.js';
import { ResponseWithCookie, signInResponse } from '../sessions/response-with-cookie.js';
import { SessionsService, type StartedSession } from '../sessions/sessions.service.js';
import { AutomaticRegistration } from './automatic-registration.js';
import { type BindView, toBindView } from './bind.view.js';
import type { AccountCredentials } from './dto/bind.dto.js';
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
    private readonly tickets: Tickets,
    private readonly logins: LoginService,
    private readonly links: LinksService,
    private readonly registration: AutomaticRegistration,
    private readonly limit: RegistrationLimit,
    private readonly sessions: SessionsService,
    private readonly addressRecorder: SignInAddressRecorder,
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
        // Rolled back: there is no such player.
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
    const login = await this.logins.authenticate(account, password, request.context);
    const bound = await this.withTicket(ticket, async (manager) => {
      return this.startSession(manager, await this.link(manager, login, ticket), request);
    });
    return this.answer(bound, request);
  }

  /** A link is a way in for good, so a token alone does not make one. */
  private async linkSignedIn(ticket: Ticket, identity: PlayerIdentity, request: BindRequest) {
    const { sid } = identity;
    await this.sessions.requireRecentSignIn(identity);
    return this.withTicket(ticket, async (manager) => {
      const player = await this.link(manager, identity, ticket);
      const token =
        sid === undefined
          ? (await this.startSession(manager, player, { ...request, remember: false })).token
          : await this.sessions.issueToken(player, sid, manager);
      return new ResponseWithCookie(toBindView(player.account, token, false), undefined);
    });
  }

  /** Refused where a reset came between: it may have dropped all links, and this one would stay. */
  private async link(
    manager: EntityManager,
    { id, ver }: { id: number; ver: number },
    { identity }: Ticket,
  ): Promise<LinkedPlayer> {
    await lockPlayer(manager, id);
    const player = await this.links.link(manager, id, identity);
    if (player.ver !== ver) throw new Unauthorized();
    return player;
  }

  private logIn(ticket: Ticket, request: BindRequest): Promise<BoundSession | undefined> {
    return inTransaction(this.dataSource, async (manager) => {
      const player = await this.links.findPlayer(ticket.identity, manager);
      if (!player) return undefined;
      await this.tickets.consume(manager, ticket);
      return this.startSession(manager, player, request);
    });
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

  /** In the transaction that uses up the ticket: whoever has used it is signed in. */
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
