import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { RowQueue } from '../../platform/database/row-queue.js';
import { selectRows } from '../../platform/database/sql.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { AppError } from '../../platform/http/errors/app-error.js';
import { addressGroup } from '../../platform/http/request/address.js';
import { MailUnavailable, TooManyMails } from '../../platform/mail/mail.errors.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { CODE_MAIL, type CodePurpose, codeMailText, codeMailValues } from './code-mail.js';
import { CODE_DIGITS, CODE_VALID_SECONDS, CodeStore } from './code-store.js';
import { ChallengeService } from './challenge.service.js';
import { MailDomains } from './mail-domains.js';
import { SendLimits } from './send-limits.js';
import { CodeInvalid, CodeThrottled } from './verify.errors.js';

const OUTCOMES = [
  'sent',
  'challenge_required',
  'code_throttled',
  'invalid_request',
  'mail_unavailable',
  'failed',
];

// The feature `accounts` depends on this one, so the table is read directly. Known and unknown e-mail addresses lead to
// the same statement.
const OWNER = `SELECT p.id, p.account, p.email, a.address AS knownAddress FROM player p
  LEFT JOIN login_address a ON a.player_id = p.id AND a.address = ? WHERE p.email = ?`;

interface OwnerRow {
  id: number;
  account: string;
  email: string;
  knownAddress: string | null;
}

interface CodeRequest {
  email: string;
  purpose?: CodePurpose;
  /** The client sends this solution to a challenge. */
  challenge?: string;
}

type Owner = Pick<OwnerRow, 'id' | 'account'> & { isKnownAddress: boolean };

interface RedeemOptions {
  revealsAccount?: (error: unknown) => boolean;
  inTurn?: <T>(transaction: () => Promise<T>) => Promise<T>;
}

const runAtOnce = <T>(work: () => Promise<T>) => work();

@Injectable()
export class VerifyService {
  private readonly codes: Counter<'outcome'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly challenges: ChallengeService,
    private readonly domains: MailDomains,
    private readonly limits: SendLimits,
    private readonly codeStore: CodeStore,
    private readonly rowQueue: RowQueue,
    private readonly mail: MailService,
    metrics: Metrics,
  ) {
    mail.register(CODE_MAIL);
    this.codes = metrics.counter(
      'gatehouse_codes_total',
      'Requests for a code by outcome: sent or the error name',
      ['outcome', OUTCOMES],
    );
  }

  async send(
    { email, purpose, challenge }: CodeRequest,
    address: string,
    languages?: string,
  ): Promise<{ expires_in: number; resend_in: number }> {
    try {
      // A mailbox in use may be at a domain that was denied later, and its owner must be able to reset the password. At
      // such a domain, a code for a reset is valid for nothing else. Every mailbox at such a domain gets one, so that
      // no response reveals which mailboxes have an account.
      if (purpose !== 'reset') this.domains.requireAccepted(email);
      await this.challenges.requireSolution(challenge, address);
      await this.sendWithinLimits(email, address, codeMailText(purpose, languages));
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
   * Uses up the code and runs the work in one transaction, so that the code stays valid if the work fails. A wrong code
   * counts as an attempt. Work that fails with `CodeInvalid` or because a name or e-mail address is taken counts too,
   * so that codes do not help to find out which accounts exist. `inTurn` may delay the transaction.
   */
  async redeem<T>(
    email: string,
    code: string,
    address: string,
    work: (manager: EntityManager) => Promise<T>,
    { revealsAccount = isDuplicateKey, inTurn = runAtOnce }: RedeemOptions = {},
  ): Promise<T> {
    const attempt = await this.rowQueue.run(`verify ${email}`, () =>
      this.codeStore.takeAttempt(email, addressGroup(address)),
    );
    if (!attempt || !this.codeStore.matches(attempt, code)) throw new CodeInvalid();
    try {
      return await inTurn(() =>
        inTransaction(this.dataSource, async (manager) => {
          if (!(await this.codeStore.consume(manager, attempt))) throw new CodeInvalid();
          return work(manager);
        }),
      );
    } catch (error) {
      if (!(error instanceof CodeInvalid) && !revealsAccount(error))
        await this.codeStore.returnAttempt(attempt);
      throw error;
    }
  }

  private async sendWithinLimits(
    email: string,
    address: string,
    text: ReturnType<typeof codeMailText>,
  ): Promise<void> {
    const owner = await this.ownerOf(email, address);
    const quota = this.limits.quotaOf(email, address, owner?.isKnownAddress ?? false);
    const undo = await this.limits.reserve(quota, address);
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    try {
      const values = codeMailValues(code, owner?.account ?? '', text);
      await this.mail.send(email, CODE_MAIL, values, owner?.id);
    } catch (error) {
      // An e-mail that may still arrive counts, because otherwise anyone could make a slow mail server send any number
      // of e-mails.
      if (error instanceof MailUnavailable && error.mayArrive)
        await this.limits.startCooldown(quota);
      else await undo();
      throw error instanceof TooManyMails ? new CodeThrottled(error.secondsLeft) : error;
    }
    // The code is stored after sending, so that its validity starts when the mail server accepts the e-mail.
    await this.codeStore.store(email, code, addressGroup(address));
    await this.limits.startCooldown(quota);
  }

  /** Finds the owner of an e-mail address. The address is compared again, as MySQL treats josé@ and jose@ as equal. */
  private async ownerOf(email: string, address: string): Promise<Owner | undefined> {
    const { manager } = this.dataSource;
    const [found] = await selectRows<OwnerRow>(manager, OWNER, [addressGroup(address), email]);
    if (found?.email.toLowerCase() !== email) return undefined;
    const { id, account, knownAddress } = found;
    return { id, account, isKnownAddress: knownAddress !== null };
  }
}
