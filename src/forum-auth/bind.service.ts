import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { RegistrationLimit } from '../accounts/registration-limit.js';
import { LoginService } from '../accounts/login.service.js';
import { NewAddresses } from '../accounts/new-addresses.js';
import { Unauthorized } from '../auth/auth.errors.js';
import type { PlayerIdentity } from '../auth/identity.service.js';
import { lockPlayer } from '../database/player-lock.js';
import { inTransaction } from '../database/transaction.js';
import type { RequestContext } from '../http/request/request-context.js';
import { type LinkedPlayer, LinksService } from '../links/links.service.js';
import { CookieAnswer, signedIn } from '../sessions/cookie-answer.js';
import { SessionsService, type StartedSession } from '../sessions/sessions.service.js';
import { AutomaticRegistration } from './automatic-registration.js';
import { type BindView, toBindView } from './bind.view.js';
import type { Credentials } from './dto/bind.dto.js';
import { type Ticket, Tickets } from './tickets.js';

interface BindRequest {
  ticket: string;
  nonce?: string;
  /** The account to link, by password or by JWT. With neither, it is the linked account, or a new one. */
  credentials?: Credentials;
  player?: PlayerIdentity;
  remember?: boolean;
  context: RequestContext;
}

interface Bound extends StartedSession {
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
    private readonly newAddresses: NewAddresses,
  ) {}

  async bind(request: BindRequest): Promise<CookieAnswer<BindView>> {
    const { credentials, player } = request;
    const ticket = this.tickets.read(request.ticket, request.nonce);
    if (credentials) return this.linkByPassword(ticket, credentials, request);
    if (player) return this.linkSignedIn(ticket, player, request);

    const known = await this.logIn(ticket, request);
    if (known) return this.answer(known, request);
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

  private async linkByPassword(ticket: Ticket, credentials: Credentials, request: BindRequest) {
    const { account, password } = credentials;
    const login = await this.logins.authenticate(account, password, request.context);
    const bound = await this.useUp(ticket, async (manager) => {
      return this.start(manager, await this.link(manager, login, ticket), request);
    });
    return this.answer(bound, request);
  }

  /** A link is a way in for good, so a token alone does not make one. */
  private async linkSignedIn(ticket: Ticket, identity: PlayerIdentity, request: BindRequest) {
    const { sid } = identity;
    await this.sessions.requireRecentSignIn(identity);
    return this.useUp(ticket, async (manager) => {
      const player = await this.link(manager, identity, ticket);
      const token =
        sid === undefined
          ? (await this.start(manager, player, { ...request, remember: false })).token
          : await this.sessions.nextToken(player, sid, manager);
      return new CookieAnswer(toBindView(player.account, token, false), undefined);
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

  private logIn(ticket: Ticket, request: BindRequest): Promise<Bound | undefined> {
    return inTransaction(this.dataSource, async (manager) => {
      const player = await this.links.findPlayer(ticket.identity, manager);
      if (!player) return undefined;
      await this.tickets.use(manager, ticket);
      return this.start(manager, player, request);
    });
  }

  private register(ticket: Ticket, request: BindRequest): Promise<Bound> {
    const { address } = request.context;
    return this.limit.within(address, () =>
      this.useUp(ticket, async (manager) => {
        const player = await this.registration.register(manager, ticket.identity, address);
        return { ...(await this.start(manager, player, request)), created: true };
      }),
    );
  }

  private useUp<T>(ticket: Ticket, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.dataSource, async (manager) => {
      await this.tickets.use(manager, ticket);
      return work(manager);
    });
  }

  /** In the transaction that uses up the ticket: whoever has used it is signed in. */
  private async start(
    manager: EntityManager,
    player: LinkedPlayer,
    { context, remember }: BindRequest,
  ): Promise<Bound> {
    const started = await this.sessions.start(player, { context, remember }, manager);
    return { ...started, player, created: false };
  }

  private async answer(
    { player, token, cookie, created }: Bound,
    { context }: BindRequest,
  ): Promise<CookieAnswer<BindView>> {
    await this.newAddresses.note(player.id, context);
    return signedIn(toBindView(player.account, token, created), cookie);
  }
}
