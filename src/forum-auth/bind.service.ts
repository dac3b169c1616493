import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RegistrationLimit } from '../accounts/registration-limit.js';
import { LoginService } from '../accounts/login.service.js';
import { toTokenView } from '../accounts/token.view.js';
import { TokenService } from '../auth/token.service.js';
import { inTransaction } from '../database/transaction.js';
import type { RequestContext } from '../http/request/request-context.js';
import { type LinkedPlayer, LinksService } from '../links/links.service.js';
import { AutomaticRegistration } from './automatic-registration.js';
import type { BindView } from './bind.view.js';
import type { Credentials } from './dto/bind.dto.js';
import { type Ticket, Tickets } from './tickets.js';

interface BindRequest {
  ticket: string;
  nonce?: string;
  /** The account to link, by password or by JWT. With neither, it is the linked account, or a new one. */
  credentials?: Credentials;
  playerId?: number;
  context: RequestContext;
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
    private readonly tokens: TokenService,
  ) {}

  async bind(request: BindRequest): Promise<BindView> {
    const { credentials, playerId, context } = request;
    const ticket = this.tickets.read(request.ticket, request.nonce);
    const chosen = credentials ? await this.idByPassword(credentials, context) : playerId;
    if (chosen !== undefined) return this.toView(await this.link(ticket, chosen), false);

    const known = await this.logIn(ticket);
    if (known) return this.toView(known, false);
    try {
      return this.toView(await this.register(ticket, context.address), true);
    } catch (error) {
      // Another tab may have registered first, perhaps with the last place of the day. Then log in to that account.
      const registered = await this.logIn(ticket);
      if (!registered) throw error;
      return this.toView(registered, false);
    }
  }

  private async idByPassword(credentials: Credentials, context: RequestContext): Promise<number> {
    const { account, password } = credentials;
    return (await this.logins.authenticate(account, password, context)).id;
  }

  private link(ticket: Ticket, playerId: number): Promise<LinkedPlayer> {
    return inTransaction(this.dataSource, async (manager) => {
      await this.tickets.use(manager, ticket);
      return this.links.link(manager, playerId, ticket.identity);
    });
  }

  private logIn(ticket: Ticket): Promise<LinkedPlayer | undefined> {
    return inTransaction(this.dataSource, async (manager) => {
      const player = await this.links.findPlayer(ticket.identity, manager);
      if (player) await this.tickets.use(manager, ticket);
      return player;
    });
  }

  private register(ticket: Ticket, address: string): Promise<LinkedPlayer> {
    return this.limit.within(address, () =>
      inTransaction(this.dataSource, async (manager) => {
        await this.tickets.use(manager, ticket);
        return this.registration.register(manager, ticket.identity, address);
      }),
    );
  }

  private toView(player: LinkedPlayer, created: boolean): BindView {
    return Object.assign(toTokenView(player.account, this.tokens.sign(player)), { created });
  }
}
