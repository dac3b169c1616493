import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import { SignInAgain } from '../../platform/auth/auth.errors.js';
import { type PlayerIdentity, requireRecentProof } from '../../platform/auth/identity.service.js';
import { lockUnchangedPlayer } from '../../platform/auth/player-row-lock.js';
import { describeClosing, Player } from '../../platform/auth/player.entity.js';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { DAY_MS } from '../../platform/config/time.js';
import { currentTime } from '../../platform/database/database-clock.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { AppError } from '../../platform/http/errors/app-error.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { OwnAccount } from '../profile/own-account.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { hasOpenWithdrawal } from '../withdraw/record/withdrawal-rows.js';

export class AccountBusy extends AppError {
  constructor() {
    super('account_busy', 'The account cannot be closed while a withdrawal is open.');
  }
}

class ClosingDisabled extends AppError {
  constructor() {
    super(
      'closing_disabled',
      'You cannot close your account yourself here. Please contact support.',
    );
  }
}

/** Returns false if the account is already closing or closed. The caller must hold the player's lock. */
export async function scheduleClosing(
  manager: EntityManager,
  playerId: number,
  at: Date,
): Promise<boolean> {
  if (await hasOpenWithdrawal(manager, playerId)) throw new AccountBusy();
  const open = { id: playerId, closingAt: IsNull(), closedAt: IsNull() };
  return (await manager.update(Player, open, { closingAt: at })).affected === 1;
}

/** Returns false if no closing was scheduled or if the account is already closed. */
export async function cancelClosing(manager: EntityManager, playerId: number): Promise<boolean> {
  const closing = { id: playerId, closingAt: Not(IsNull()), closedAt: IsNull() };
  return (await manager.update(Player, closing, { closingAt: null })).affected === 1;
}

const CLOSING_MAIL = {
  name: 'closing',
  sample: {
    account: 'dragon_slayer',
    closing: new Date('2026-02-07T23:59:00Z'),
    address: '203.0.113.7',
    time: new Date('2026-01-31T23:59:00Z'),
    url: 'https://play.example.com/account',
  },
  requiredValues: ['account', 'closing', 'url'],
} satisfies MailKind;

@Injectable()
export class ClosingService {
  private readonly logger = new Logger(ClosingService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly environment: Environment,
    private readonly ownAccount: OwnAccount,
    private readonly sessions: SessionsService,
    private readonly rowQueue: RowQueue,
    private readonly mail: MailService,
  ) {
    mail.register(CLOSING_MAIL);
  }

  /** Returns the time when the account will be closed. A repeated request returns the time of the first one. */
  async close(
    me: PlayerIdentity,
    password: string | undefined,
    context: RequestContext,
  ): Promise<Date> {
    const days = this.settings.current.account.close_days;
    if (days === 0) throw new ClosingDisabled();
    requireRecentProof(me);
    const given = { field: 'password', password };
    await this.ownAccount.requireOwner(me, given, context);
    const at = new Date(currentTime() + days * DAY_MS);
    const { player, isNew } = await this.rowQueue.inTransaction(`player ${me.id}`, (manager) =>
      this.schedule(manager, me, at),
    );
    if (isNew) {
      this.logger.log(describeClosing(player, player.closingAt));
      context.change = { what: 'closing' };
      this.notifyOwner(player, context);
    }
    return player.closingAt!;
  }

  async keep(me: PlayerIdentity, context: RequestContext): Promise<void> {
    const isKept = await this.rowQueue.run(`player ${me.id}`, () =>
      cancelClosing(this.dataSource.manager, me.id),
    );
    if (!isKept) return;
    context.change = { what: 'kept' };
    this.logger.log(describeClosing(await this.ownAccount.get(me), null));
  }

  private async schedule(manager: EntityManager, me: PlayerIdentity, at: Date) {
    const { id, sid } = me;
    // The password was reset, the account was closed or a second factor was added, so the password is no longer enough.
    if (!(await lockUnchangedPlayer(manager, me))) throw new SignInAgain();
    const isNew = await scheduleClosing(manager, id, at);
    const player = await manager.findOneByOrFail(Player, { id });
    if (isNew) await this.sessions.endOthers(id, sid, manager);
    return { player, isNew };
  }

  private notifyOwner(player: Player, { address }: RequestContext): void {
    const url = `${this.environment.FRONTEND_URL}/account`;
    const { account, closingAt } = player;
    const values = { account, closing: closingAt!, address, time: new Date(), url };
    this.mail.notify(player, CLOSING_MAIL, values);
  }
}
