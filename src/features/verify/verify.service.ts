import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { Settings } from '../../platform/config/settings.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { addressGroup } from '../../platform/http/request/address.js';
import { AppError } from '../../platform/http/errors/app-error.js';
import { MailUnavailable, TooManyMails } from '../../platform/mail/mail.errors.js';
import type { MailKind } from '../../platform/mail/mail-kind.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { CODE_DIGITS, CODE_VALID_SECONDS } from './code-rules.js';
import { SendLimits } from './send-limits.js';
import type { CodeSentView } from './code-sent.view.js';
import { CodeStore } from './code-store.js';
import { CodeInvalid, CodeThrottled } from './verify.errors.js';

const OUTCOMES = ['sent', 'code_throttled', 'mail_unavailable', 'failed'];

/** `account` is the account of the mailbox, for players who forgot its name, or empty. */
const CODE_MAIL = {
  name: 'code',
  sample: { code: '8'.repeat(CODE_DIGITS), seconds: CODE_VALID_SECONDS, account: 'dragon_slayer' },
  requiredValues: ['code'],
} satisfies MailKind;

/** E-mailed codes that prove a mailbox. */
@Injectable()
export class VerifyService {
  private readonly codes: Counter<'outcome'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly limits: SendLimits,
    private readonly codeStore: CodeStore,
    private readonly mail: MailService,
    metrics: Metrics,
  ) {
    mail.register(CODE_MAIL);
    this.codes = metrics.counter(
      'gatehouse_codes_total',
      'Requests for a code: sent, or the name of the error',
      ['outcome', OUTCOMES],
    );
  }

  async send(email: string, address: string): Promise<CodeSentView> {
    try {
      await this.sendWithinLimits(email, address);
      this.codes.inc({ outcome: 'sent' });
    } catch (error) {
      this.codes.inc({ outcome: error instanceof AppError ? error.error : 'failed' });
      throw error;
    }
    return {
      expires_in: CODE_VALID_SECONDS,
      resend_in: this.settings.current.verify.cooldown,
    };
  }

  /**
   * Uses up the code and does the work in one transaction: if the work fails, the code stays valid. A wrong code counts
   * as a try, and so does work that fails with `CodeInvalid` or because a name or mailbox is taken: a code must not
   * help to find out which accounts exist.
   */
  async redeem<T>(
    email: string,
    code: string,
    address: string,
    work: (manager: EntityManager) => Promise<T>,
    revealsAccount: (error: unknown) => boolean = isDuplicateKey,
  ): Promise<T> {
    const attempt = await this.codeStore.takeAttempt(email, addressGroup(address));
    if (!attempt || !this.codeStore.matches(attempt, code)) throw new CodeInvalid();
    try {
      return await inTransaction(this.dataSource, async (manager) => {
        if (!(await this.codeStore.consume(manager, attempt))) throw new CodeInvalid();
        return work(manager);
      });
    } catch (error) {
      if (!(error instanceof CodeInvalid) && !revealsAccount(error))
        await this.codeStore.returnAttempt(attempt);
      throw error;
    }
  }

  private async sendWithinLimits(email: string, address: string): Promise<void> {
    const undo = await this.limits.reserve(email, address);
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    try {
      const player = await this.ownerOf(email);
      const values = { code, seconds: CODE_VALID_SECONDS, account: player?.account ?? '' };
      await this.mail.send(email, CODE_MAIL, values, player?.id);
    } catch (error) {
      // A mail that may still arrive counts; otherwise a slow server could be made to send any number of them.
      if (error instanceof MailUnavailable && error.mayArrive)
        await this.limits.startCooldown(email);
      else await undo();
      throw error instanceof TooManyMails ? new CodeThrottled(error.secondsLeft) : error;
    }
    // Stored after sending: it is valid from the moment the mail server accepted it, and a failed send leaves no code.
    await this.codeStore.store(email, code, addressGroup(address));
    await this.limits.startCooldown(email);
  }

  /** Shown only in the mail, to whoever can read it. Compared again: to MySQL josé@ equals jose@. */
  private async ownerOf(email: string): Promise<Player | undefined> {
    const player = await this.dataSource.manager.findOneBy(Player, { email });
    return player?.email?.toLowerCase() === email ? player : undefined;
  }
}
