import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, MoreThanOrEqual } from 'typeorm';
import { EmailTaken } from '../accounts/accounts.errors.js';
import { UNUSABLE_PASSWORD } from '../accounts/passwords.js';
import { describeClosing } from '../../platform/auth/closing-record.js';
import { lockPlayer } from '../../platform/auth/player-lock.js';
import { Player } from '../../platform/auth/player.entity.js';
import { SignedTokens } from '../../platform/auth/signed-tokens.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import type { RequestContext } from '../../platform/http/request/request-context.js';
import { LinksService } from '../links/links.service.js';
import { FactorState } from '../second-factor/factor-state.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { CodeInvalid } from '../verify/verify.errors.js';
import { MailboxUndo } from './mailbox-undo.entity.js';

const HOUR_MS = 60 * 60 * 1000;
const UNDO_HOURS = 72;
const PURPOSE = 'mailbox undo';

interface UndoLink {
  playerId: number;
  version: number;
}

/**
 * Lets the previous mailbox undo a change. Using a link voids it and the links of all later changes, because a thief
 * may have changed the mailbox again and received such links; earlier mailboxes keep theirs, so the first owner has the
 * last word.
 */
@Injectable()
export class MailboxUndoService {
  private readonly logger = new Logger(MailboxUndoService.name);

  constructor(
    private readonly tokens: SignedTokens,
    private readonly factors: FactorState,
    private readonly links: LinksService,
    private readonly sessions: SessionsService,
    private readonly rowQueue: RowQueue,
    expiredRows: ExpiredRowCleaner,
  ) {
    expiredRows.deleteAfter(HOUR_MS, 'mailbox_undo', 'expires_at');
  }

  /** Runs in the transaction of the change. Returns the token for the link. */
  async allow(manager: EntityManager, link: UndoLink, email: string): Promise<string> {
    const expiresAt = new Date(Date.now() + UNDO_HOURS * HOUR_MS);
    await manager.insert(MailboxUndo, { ...link, email, expiresAt });
    return this.tokens.sign(PURPOSE, link, { seconds: UNDO_HOURS * 60 * 60 });
  }

  /** Restores the mailbox and ends every other way to sign in: the owner sets a new password through the mailbox. */
  async undo(token: string, context: RequestContext): Promise<void> {
    const link = this.tokens.verify<UndoLink>(PURPOSE, token)?.content;
    if (!link) throw new CodeInvalid();
    context.playerId = link.playerId;
    try {
      const { player, wasClosing } = await this.rowQueue.inTransaction(
        `player ${link.playerId}`,
        (manager) => this.restore(manager, link),
      );
      if (wasClosing) this.logger.log(describeClosing(player, null));
    } catch (error) {
      throw isDuplicateKey(error) ? new EmailTaken() : error;
    }
  }

  private async restore(manager: EntityManager, { playerId, version }: UndoLink) {
    await lockPlayer(manager, playerId);
    const player = await manager.findOneBy(Player, { id: playerId });
    const change = await manager.findOneBy(MailboxUndo, { playerId, version });
    const fromHere = { playerId, version: MoreThanOrEqual(version) };
    const { affected } = await manager.delete(MailboxUndo, fromHere);
    if (!player || !change || !affected) throw new CodeInvalid();
    const restored = { email: change.email, password: UNUSABLE_PASSWORD, imported: false };
    // A thief may also have asked to close the account.
    const pause = { withdrawPausedAt: new Date(), closingAt: null };
    await manager.update(Player, playerId, { ...restored, ...pause, ver: () => 'ver + 1' });
    // A thief may have linked an identity, which could sign in and set a password.
    await this.links.unlinkAll(manager, playerId);
    // Older factors stay: whoever has only the old mailbox must not get around them.
    const sinceDaysBefore = new Date(change.expiresAt.getTime() - 2 * UNDO_HOURS * HOUR_MS);
    await this.factors.removeSince(manager, playerId, sinceDaysBefore);
    await this.sessions.endOthers(playerId, undefined, manager);
    return { player, wasClosing: player.closingAt !== null };
  }
}
