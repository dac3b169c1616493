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
import { preferredLanguage } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { MailUnavailable, TooManyMails } from '../../platform/mail/mail.errors.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { Metrics } from '../../platform/metrics/metrics.js';
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

export const CODE_PURPOSES = ['register', 'reset', 'email'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

/**
 * `account` is the account's name, for players who forgot it. It is empty if the e-mail address has no account. The mail
 * is in the languages whose value is 1, and says for which purpose the code was requested.
 */
const CODE_MAIL = {
  name: 'code',
  sample: {
    code: '8'.repeat(CODE_DIGITS),
    seconds: CODE_VALID_SECONDS,
    minutes: CODE_VALID_SECONDS / 60,
    account: 'dragon_slayer',
    register: 0,
    reset: 1,
    change: 0,
    zh: 1,
    en: 1,
  },
  requiredValues: ['code'],
  isRoutine: true,
} satisfies MailKind;

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
  /** Contains the solution of a challenge. */
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
      'Requests for a code: sent, or the name of the error',
      ['outcome', OUTCOMES],
    );
  }

  async send(
    { email, purpose, challenge }: CodeRequest,
    address: string,
    languages?: string,
  ): Promise<{ expires_in: number; resend_in: number }> {
    try {
      // A mailbox in use may be at a domain that was denied later, and its owner must be able to reset the password.
      // At such a domain, a code for a reset is valid for nothing else. Everybody gets one, so that no response reveals
      // which mailboxes have an account.
      if (purpose !== 'reset') this.domains.requireAccepted(email);
      await this.challenges.requireSolution(challenge, address);
      await this.sendWithinLimits(email, address, textOf(purpose, languages));
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
    text: ReturnType<typeof textOf>,
  ): Promise<void> {
    const owner = await this.ownerOf(email, address);
    const quota = this.limits.quotaOf(email, address, owner?.isKnownAddress ?? false);
    const undo = await this.limits.reserve(quota, address);
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    try {
      const values = {
        code,
        seconds: CODE_VALID_SECONDS,
        minutes: CODE_VALID_SECONDS / 60,
        account: owner?.account ?? '',
        ...text,
      };
      await this.mail.send(email, CODE_MAIL, values, owner?.id);
    } catch (error) {
      // A mail that may still arrive counts, because otherwise anyone could make a slow mail server send any number.
      if (error instanceof MailUnavailable && error.mayArrive)
        await this.limits.startCooldown(quota);
      else await undo();
      throw error instanceof TooManyMails ? new CodeThrottled(error.secondsLeft) : error;
    }
    // The code is stored after sending, so that its validity starts when the mail server accepts the mail.
    await this.codeStore.store(email, code, addressGroup(address));
    await this.limits.startCooldown(quota);
  }

  /** Finds the owner of an e-mail address. It is compared again, because MySQL treats josé@ and jose@ as equal. */
  private async ownerOf(email: string, address: string): Promise<Owner | undefined> {
    const { manager } = this.dataSource;
    const [found] = await selectRows<OwnerRow>(manager, OWNER, [addressGroup(address), email]);
    if (found?.email.toLowerCase() !== email) return undefined;
    const { id, account, knownAddress } = found;
    return { id, account, isKnownAddress: knownAddress !== null };
  }
}

/** Chooses the text by what was requested and by the `Accept-Language` of the request. */
function textOf(purpose: CodePurpose | undefined, languages?: string) {
  const language = preferredLanguage(languages);
  const is = (condition: boolean) => (condition ? 1 : 0);
  return {
    register: is(purpose === 'register'),
    reset: is(purpose === 'reset'),
    change: is(purpose === 'email'),
    zh: is(language !== 'en'),
    en: is(language !== 'zh'),
  };
}
