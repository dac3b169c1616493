import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type AdmissionColumns, banSql, requireAdmitted } from '../../../platform/auth/ban.js';
import { selectRows } from '../../../platform/database/statement.js';
import type { RequestContext } from '../../../platform/http/request/request-context.js';
import { LinksService } from '../../links/links.service.js';
import { SecondFactorInvalid } from '../../second-factor/second-factor.errors.js';
import type { SecondFactorProof } from '../../second-factor/second-factors.js';
import {
  type SecondStepTicket,
  SecondStepTickets,
  type SignInPurpose,
} from '../../second-factor/second-step-tickets.js';
import { type ResponseWithCookie, signInResponse } from '../../sessions/response-with-cookie.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { toLoginView } from '../login.view.js';
import { toResetView } from '../reset.view.js';
import { SignInAddressRecorder } from '../sign-in-address-recorder.js';
import { SecondFactorCheck } from './second-factor-check.js';
import type { SecondStepView } from './second-step.view.js';

interface SigningInPlayer {
  id: number;
  account: string;
  ver: number;
  serverId: number | null;
}

/** Completes the sign-in of the ticket, in the transaction that uses the ticket up. */
export interface PendingSignIn {
  manager: EntityManager;
  player: SigningInPlayer;
  ticket: SecondStepTicket;
  context: RequestContext;
}

type Completion = (signIn: PendingSignIn) => Promise<ResponseWithCookie<SecondStepView>>;

const FIND = `SELECT p.id, p.account, p.ver, p.server_id AS serverId, p.disabled_at AS disabledAt,
  ${banSql('p.id')} AS ban FROM player p WHERE p.id = ?`;

/** The second step of every sign-in: takes the ticket of the first and a second factor. */
@Injectable()
export class SecondStepService {
  private readonly completions = new Map<SignInPurpose, Completion>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly tickets: SecondStepTickets,
    private readonly check: SecondFactorCheck,
    private readonly sessions: SessionsService,
    private readonly links: LinksService,
    private readonly addressRecorder: SignInAddressRecorder,
  ) {
    this.completeWith('login', (signIn) => this.completeLogin(signIn));
    this.completeWith('reset', (signIn) => this.completeReset(signIn));
  }

  /** How a sign-in of this purpose ends. */
  completeWith(purpose: SignInPurpose, completion: Completion): void {
    this.completions.set(purpose, completion);
  }

  async signIn(
    text: string,
    proof: SecondFactorProof,
    context: RequestContext,
  ): Promise<ResponseWithCookie<SecondStepView>> {
    const ticket = this.tickets.verify(text);
    context.playerId = ticket.playerId;
    const player = await this.findPlayer(ticket);
    const response = await this.check.prove(player, proof, 'second', context, async (manager) => {
      await this.tickets.consume(manager, ticket);
      return this.completions.get(ticket.purpose)!({ manager, player, ticket, context });
    });
    await this.addressRecorder.record(player.id, context);
    return response;
  }

  /** With its session, for the answers of all purposes. */
  startSession({ manager, player, ticket, context }: PendingSignIn) {
    const options = { context, remember: ticket.remember, withSecondFactor: true };
    return this.sessions.start(player, options, manager);
  }

  /** Before anything is counted: a ticket from before a new password is void. */
  private async findPlayer({ playerId, ver }: SecondStepTicket): Promise<SigningInPlayer> {
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
    const { token, cookie } = await this.startSession(signIn);
    return signInResponse(toLoginView(account, token, serverId), cookie);
  }

  private async completeReset(signIn: PendingSignIn) {
    const { id, account } = signIn.player;
    const { token, cookie } = await this.startSession(signIn);
    const links = await this.links.findByPlayer(id, signIn.manager);
    return signInResponse(toResetView(account, token, links), cookie);
  }
}
