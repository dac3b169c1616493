import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource, type EntityManager, IsNull, LessThan, MoreThan } from 'typeorm';
import { Player } from '../auth/player.entity.js';
import { Environment } from '../config/environment.js';
import { Settings } from '../config/settings.js';
import { ExpiredRows } from '../database/expired-rows.js';
import { inTransaction } from '../database/transaction.js';
import { addressGroup } from '../http/request/address.js';
import { AppError } from '../http/errors/app-error.js';
import { MailUnavailable } from '../mail/mail.errors.js';
import { MailService } from '../mail/mail.service.js';
import { MailTemplates } from '../mail/mail-templates.js';
import { Metrics } from '../metrics/metrics.js';
import { CODE_DIGITS, CODE_MOST_TRIES, CODE_VALID_SECONDS } from './code-rules.js';
import { CODE_MAIL } from './code-mail.js';
import { SendLimits } from './send-limits.js';
import type { CodeSentView } from './code-sent.view.js';
import { Verify } from './verify.entity.js';
import { CodeInvalid } from './verify.errors.js';

const KEPT_MS = 60 * 60 * 1000;

/** Codes that prove a mailbox. */
@Injectable()
export class VerifyService {
  private readonly key: Buffer;
  private readonly codes: Counter<'outcome'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly limits: SendLimits,
    private readonly mail: MailService,
    templates: MailTemplates,
    expiredRows: ExpiredRows,
    { JWT_SECRET }: Environment,
    { registry }: Metrics,
  ) {
    templates.follow(CODE_MAIL);
    expiredRows.deleteAfter(KEPT_MS, 'verify', 'expires_at');
    this.key = Buffer.from(hkdfSync('sha256', JWT_SECRET, '', 'gatehouse e-mail code', 32));
    this.codes = new Counter({
      name: 'gatehouse_codes_total',
      help: 'Requests for a code by outcome: sent, or the name of the error',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  async send(email: string, address: string): Promise<CodeSentView> {
    try {
      await this.sendWithinLimits(email, addressGroup(address));
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
   * Uses up the code and does the work in one transaction: if the work fails, the code stays valid. A wrong code
   * counts as a try, and so does a `CodeInvalid` of the work itself.
   */
  async redeem<T>(
    email: string,
    code: string,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const row = await this.dataSource.manager.findOneBy(Verify, { email });
    const given = this.hash(email, code);
    const right = timingSafeEqual(Buffer.from(given), Buffer.from(row?.code ?? this.hash('', '')));
    try {
      if (!right) throw new CodeInvalid();
      return await inTransaction(this.dataSource, async (manager) => {
        const { affected } = await manager.update(Verify, this.usable(email, given), {
          usedAt: new Date(),
        });
        if (affected !== 1) throw new CodeInvalid();
        return work(manager);
      });
    } catch (error) {
      if (error instanceof CodeInvalid && row) await this.countTry(email, row.code);
      throw error;
    }
  }

  private async sendWithinLimits(email: string, address: string): Promise<void> {
    const giveBack = await this.limits.take(email, address);
    const account = await this.accountOf(email);
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    try {
      await this.mail.send(email, CODE_MAIL, { code, seconds: CODE_VALID_SECONDS, account });
    } catch (error) {
      // A mail that may still arrive counts, or a slow server could be made to send any number of them.
      if (error instanceof MailUnavailable && error.mayArrive)
        await this.limits.startCooldown(email);
      else await giveBack();
      throw error;
    }
    // Stored after sending: it is valid from the moment the mail server accepted it, and a failed send leaves no code.
    await this.dataSource.manager.upsert(
      Verify,
      {
        email,
        code: this.hash(email, code),
        tries: 0,
        expiresAt: new Date(Date.now() + CODE_VALID_SECONDS * 1000),
        usedAt: null,
      },
      ['email'],
    );
    await this.limits.startCooldown(email);
  }

  /** Told in the mail alone, to who can read it. Compared again: to MySQL josé@ equals jose@. */
  private async accountOf(email: string): Promise<string> {
    const player = await this.dataSource.manager.findOneBy(Player, { email });
    return player?.email?.toLowerCase() === email ? player.account : '';
  }

  /**
   * Counts each try in its own statement. Using the right code has the same condition, so the code is void after
   * `CODE_MOST_TRIES` wrong ones, also with parallel requests.
   */
  private async countTry(email: string, stored: string): Promise<void> {
    await this.dataSource.manager.increment(Verify, this.usable(email, stored), 'tries', 1);
  }

  private usable(email: string, code: string) {
    return {
      email,
      code,
      usedAt: IsNull(),
      tries: LessThan(CODE_MOST_TRIES),
      expiresAt: MoreThan(new Date()),
    };
  }

  private hash(email: string, code: string): string {
    return createHmac('sha256', this.key).update(`${email}\n${code}`).digest('hex');
  }
}
