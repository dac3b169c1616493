import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Unauthorized } from '../../platform/auth/auth.errors.js';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { describeClosing } from '../../platform/auth/closing-record.js';
import { lockPlayer } from '../../platform/auth/player-lock.js';
import { Player } from '../../platform/auth/player.entity.js';
import { requireRecentProof } from '../../platform/auth/recent-proof.js';
import { DAY_MS } from '../../platform/config/calendar-day.js';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { formatMailTime } from '../../platform/mail/format-mail-time.js';
import type { MailKind } from '../../platform/mail/mail-kind.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { OwnAccount } from '../profile/own-account.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { cancelClosing, scheduleClosing } from './closing-state.js';
import { ClosingDisabled } from './closing.errors.js';
import type { ClosingView } from './closing.view.js';

const CLOSING_MAIL = {
  name: 'closing',
  sample: {
    account: 'dragon_slayer',
    closing: '2026-02-07 23:59 UTC',
    address: '203.0.113.7',
    time: '2026-01-31 23:59 UTC',
    url: 'https://play.example.com/account',
  },
  requiredValues: ['account', 'closing', 'url'],
} satisfies MailKind;

/** Lets the owner close the account some days ahead, and keep it until then. */
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

  /** A repeat answers with the time of the first request. */
  async close(
    me: PlayerIdentity,
    password: string | undefined,
    context: RequestContext,
  ): Promise<ClosingView> {
    const days = this.settings.current.account.close_days;
    if (days === 0) throw new ClosingDisabled();
    requireRecentProof(me);
    const given = { field: 'password', password };
    await this.ownAccount.requireOwner(me, await this.ownAccount.get(me), given, context);
    const at = new Date(Date.now() + days * DAY_MS);
    const { player, isNew } = await this.rowQueue.inTransaction(`player ${me.id}`, (manager) =>
      this.schedule(manager, me, at),
    );
    if (isNew) {
      this.logger.log(describeClosing(player, player.closingAt));
      this.notifyOwner(player, context);
    }
    return { closing_at: player.closingAt!.toISOString() };
  }

  async keep(me: PlayerIdentity): Promise<void> {
    const isKept = await this.rowQueue.run(`player ${me.id}`, () =>
      cancelClosing(this.dataSource.manager, me.id),
    );
    if (isKept) this.logger.log(describeClosing(await this.ownAccount.get(me), null));
  }

  private async schedule(manager: EntityManager, { id, ver, sid }: PlayerIdentity, at: Date) {
    await lockPlayer(manager, id);
    const isNew = await scheduleClosing(manager, id, at);
    const player = await manager.findOneBy(Player, { id, ver });
    // A reset came between, or the account was closed, and ended the caller's token.
    if (!player?.closingAt) throw new Unauthorized();
    if (isNew) await this.sessions.endOthers(id, sid, manager);
    return { player, isNew };
  }

  private notifyOwner(player: Player, { address }: RequestContext): void {
    const url = `${this.environment.FRONTEND_URL}/account`;
    const closing = formatMailTime(player.closingAt!);
    const time = formatMailTime(new Date());
    this.mail.notify(player, CLOSING_MAIL, {
      account: player.account,
      closing,
      address,
      time,
      url,
    });
  }
}
