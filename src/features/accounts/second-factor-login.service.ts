import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type AdmissionColumns, banSql, requireAdmitted } from '../../platform/auth/ban.js';
import { selectRows } from '../../platform/database/sql.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { LinksService } from '../links/links.service.js';
import {
  type FirstStepTicket,
  FirstStepTickets,
  type SignInPurpose,
} from '../second-factor/first-step-tickets.js';
import { SecondFactorInvalid } from '../second-factor/second-factor.errors.js';
import type { SecondFactorProof } from '../second-factor/second-factors.js';
import { type ResponseWithCookie, signInResponse } from '../sessions/sign-in-response.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { type SecondStepView, toLoginView, toResetView } from './accounts.view.js';
import type { StoredCredentials } from './credentials.service.js';
import { LoginAddressesService } from './login-addresses.service.js';
import { SecondFactorCheckService } from './second-factor-check.service.js';

type SigningInPlayer = Pick<StoredCredentials, 'id' | 'account' | 'ver' | 'serverId'>;

export interface PendingSignIn {
  manager: EntityManager;
  player: SigningInPlayer;
  ticket: FirstStepTicket;
  context: RequestContext;
  /** This is true if later logins from this browser are to skip the second step. */
  trust: boolean;
  /** A completion may set this callback to send e-mails about its changes after the commit. */
  afterCommit?: () => void;
}

/** Completes the sign-in in the transaction that uses up the first step's ticket. */
type Completion = (signIn: PendingSignIn) => Promise<ResponseWithCookie<SecondStepView>>;

const FIND = `SELECT p.id, p.account, p.ver, p.server_id AS serverId, p.disabled_at AS disabledAt,
  ${banSql('p.id')} AS ban FROM player p WHERE p.id = ?`;

@Injectable()
export class SecondFactorLoginService {
  private readonly completions = new Map<SignInPurpose, Completion>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly tickets: FirstStepTickets,
    private readonly check: SecondFactorCheckService,
    private readonly sessions: SessionsService,
    private readonly links: LinksService,
    private readonly addresses: LoginAddressesService,
  ) {
    this.completeWith('login', (signIn) => this.completeLogin(signIn));
    this.completeWith('reset', (signIn) => this.completeReset(signIn));
  }

  completeWith(purpose: SignInPurpose, completion: Completion): void {
    this.completions.set(purpose, completion);
  }

  async signIn(
    text: string,
    proof: SecondFactorProof,
    trust: boolean,
    context: RequestContext,
  ): Promise<ResponseWithCookie<SecondStepView>> {
    const ticket = this.tickets.verify(text);
    context.playerId = ticket.playerId;
    const player = await this.findPlayer(ticket);
    const complete = this.completions.get(ticket.purpose)!;
    const done = await this.check.prove(player, proof, 'second', context, async (manager) => {
      await this.tickets.consume(manager, ticket);
      const signIn: PendingSignIn = { manager, player, ticket, context, trust };
      return { response: await complete(signIn), signIn };
    });
    done.signIn.afterCommit?.();
    await this.addresses.record(player.id, context);
    return done.response;
  }

  startSession({ manager, player, ticket, context, trust }: PendingSignIn) {
    const options = { context, remember: ticket.remember, withSecondFactor: true, trust };
    return this.sessions.start(player, options, manager);
  }

  /** Rejects a ticket from before a password change, without counting an attempt. */
  private async findPlayer({ playerId, ver }: FirstStepTicket): Promise<SigningInPlayer> {
    const [player] = await selectRows<SigningInPlayer & AdmissionColumns>(
      this.dataSource.manager,
      FIND,
      [playerId],
    );
    if (player?.ver !== ver) throw new SecondFactorInvalid();
    requireAdmitted(player);
    const { id, account, serverId } = player;
    return { id, account, ver, serverId };
  }

  private async completeLogin(signIn: PendingSignIn) {
    const { account, serverId } = signIn.player;
    const session = await this.startSession(signIn);
    return signInResponse(toLoginView(account, session.token, serverId), session);
  }

  private async completeReset(signIn: PendingSignIn) {
    const { id, account } = signIn.player;
    const session = await this.startSession(signIn);
    const links = await this.links.findByPlayer(id, signIn.manager);
    return signInResponse(toResetView(account, session.token, links), session);
  }
}
