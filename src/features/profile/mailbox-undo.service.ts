import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, MoreThanOrEqual, Entity, Index } from 'typeorm';
import { HOUR_MS } from '../../platform/config/time.js';
import { IntColumn, TextColumn, TimeColumn } from '../../platform/database/columns.js';
import { maskMailbox } from '../../platform/audit/mail-event-log.js';
import { lockPlayer } from '../../platform/auth/player-row-lock.js';
import { describeClosing, Player } from '../../platform/auth/player.entity.js';
import { SignedTokens } from '../../platform/auth/signed-tokens.js';
import { Environment } from '../../platform/config/environment.js';
import { Settings } from '../../platform/config/settings.js';
import { currentDate, currentTime } from '../../platform/database/database-clock.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { EmailTaken } from '../accounts/accounts.errors.js';
import { UNUSABLE_PASSWORD } from '../accounts/passwords.js';
import { LinksService } from '../links/links.service.js';
import { FactorChanges } from '../second-factor/factor-changes.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { CodeInvalid } from '../verify/verify.errors.js';

/** Records a change of e-mail address, which the recipient at the previous address can undo. */
@Entity('mailbox_undo')
@Index('mailbox_undo_expires_at', ['expiresAt'])
export class MailboxUndo {
  @IntColumn({ primary: true }) playerId: number;
  /** This is the player's `lock_version` at the time of the change. Every change increments it. */
  @IntColumn({ primary: true }) version: number;
  /** The address is null if the account had none. Operators see such a change, but it cannot be undone. */
  @TextColumn(254, { nullable: true }) email: string | null;
  @TimeColumn() expiresAt: Date;
}

const UNDO_HOURS = 72;
const PURPOSE = 'mailbox undo';

/**
 * `restored` is 1 in the e-mail to the restored address, and 0 in the e-mail to the replaced one. `factor` is 1 if a
 * second factor stays. `support` may be empty.
 */
const MAILBOX_RESTORED_MAIL = {
  name: 'email-restored',
  sample: {
    account: 'dragon_slayer',
    restored: 1,
    factor: 1,
    address: '203.0.113.7',
    time: new Date('2026-01-31T23:59:00Z'),
    url: 'https://play.example.com/signin?mode=reset&account=dragon_slayer',
    support: 'https://game.example/support',
  },
  requiredValues: ['account', 'time', 'support'],
} satisfies MailKind;

interface RestoredMailbox {
  /** This is the player's row as it was before the restoration. */
  player: Player;
  mailbox: string;
  keepsFactor: boolean;
}

interface UndoLink {
  playerId: number;
  version: number;
}

/**
 * Lets the recipient at the previous e-mail address undo a change. Using an undo link invalidates that link and the
 * links of all later changes, because a thief may have received them. Links of earlier changes stay valid, so the
 * original owner can always undo a thief's changes.
 */
@Injectable()
export class MailboxUndoService {
  private readonly logger = new Logger(MailboxUndoService.name);

  constructor(
    private readonly tokens: SignedTokens,
    private readonly factors: FactorChanges,
    private readonly links: LinksService,
    private readonly sessions: SessionsService,
    private readonly rowQueue: RowQueue,
    private readonly environment: Environment,
    private readonly settings: Settings,
    private readonly mail: MailService,
    expiredRows: ExpiredRowCleaner,
  ) {
    mail.register(MAILBOX_RESTORED_MAIL);
    expiredRows.deleteAfter(HOUR_MS, 'mailbox_undo', 'expires_at');
  }

  /** Stores the change in the caller's transaction. Returns the token for the undo link. */
  async record(manager: EntityManager, link: UndoLink, previous: string | null): Promise<string> {
    const expiresAt = new Date(currentTime() + UNDO_HOURS * HOUR_MS);
    await manager.insert(MailboxUndo, { ...link, email: previous, expiresAt });
    return this.tokens.sign(PURPOSE, link, { seconds: UNDO_HOURS * 60 * 60 });
  }

  /**
   * Restores the e-mail address, and removes the password, all sessions and links, and the second factors that were
   * added since the change. The owner then sets a new password by e-mail.
   */
  async undo(token: string, context: RequestContext): Promise<void> {
    const link = this.tokens.verify<UndoLink>(PURPOSE, token)?.content;
    if (!link) throw new CodeInvalid();
    context.playerId = link.playerId;
    try {
      const restored = await this.rowQueue.inTransaction(`player ${link.playerId}`, (manager) =>
        this.restore(manager, link),
      );
      const { player } = restored;
      if (player.closingAt) this.logger.log(describeClosing(player, null));
      context.change = { what: 'email_restored', detail: maskMailbox(restored.mailbox) };
      this.notifyBoth(restored, context);
    } catch (error) {
      throw isDuplicateKey(error) ? new EmailTaken() : error;
    }
  }

  private async restore(
    manager: EntityManager,
    { playerId, version }: UndoLink,
  ): Promise<RestoredMailbox> {
    await lockPlayer(manager, playerId);
    const player = await manager.findOneBy(Player, { id: playerId });
    const change = await manager.findOneBy(MailboxUndo, { playerId, version });
    if (!player || !change?.email) throw new CodeInvalid();
    // A thief may have linked an identity that could sign in and set a password.
    await this.links.unlinkAll(manager, playerId);
    // Second factors from before the change stay. The owner may have changed the address because someone else reads
    // e-mails to the old one, and that person must not be able to bypass the second factor.
    const changedAt = new Date(change.expiresAt.getTime() - UNDO_HOURS * HOUR_MS);
    const keepsFactor = await this.factors.removeSince(manager, playerId, changedAt);
    await this.sessions.markEnded(manager, playerId);
    // The link and the address come last, because other players' e-mail changes and registrations wait for their locks.
    const fromHere = { playerId, version: MoreThanOrEqual(version) };
    const { affected } = await manager.delete(MailboxUndo, fromHere);
    if (!affected) throw new CodeInvalid();
    const restored = { email: change.email, password: UNUSABLE_PASSWORD, imported: false };
    // A thief may also have scheduled the closing of the account.
    const pause = { withdrawPausedAt: currentDate(), closingAt: null };
    await manager.update(Player, playerId, { ...restored, ...pause, ver: () => 'ver + 1' });
    return { player, mailbox: change.email, keepsFactor };
  }

  /** Notifies both e-mail addresses, because either may belong to the owner. */
  private notifyBoth(
    { player, mailbox, keepsFactor }: RestoredMailbox,
    { address }: RequestContext,
  ): void {
    const { id, account } = player;
    const values = {
      account,
      factor: keepsFactor ? 1 : 0,
      address,
      time: new Date(),
      url: `${this.environment.FRONTEND_URL}/signin?${new URLSearchParams({ mode: 'reset', account }).toString()}`,
      support: this.settings.current.support_url ?? '',
    };
    for (const email of new Set([mailbox, player.email])) {
      const restored = email === mailbox ? 1 : 0;
      this.mail.notify({ id, email }, MAILBOX_RESTORED_MAIL, { ...values, restored });
    }
  }
}
