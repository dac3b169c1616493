import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import pLimit from 'p-limit';
import { monotonicClock } from '../config/time.js';
import { AppError } from '../http/errors/app-error.js';
import { MailUnavailable, TooManyMails } from './mail.errors.js';

const CONCURRENCY = 4;
const MAX_QUEUED = 5000;
const MINUTE_MS = 60_000;
const FIRST_RETRIES_MS = [MINUTE_MS, 4 * MINUTE_MS];
const LATER_RETRIES_MS = 15 * MINUTE_MS;
// The link that undoes a change of the e-mail address is valid for the same length of time.
const RETRY_HOURS = 72;

interface Warning {
  send: () => Promise<void>;
  since: number;
  failures: number;
}

/**
 * Sends e-mails in the background, a few at a time. It logs an e-mail that fails or finds the queue full. Warnings to owners
 * never wait for other e-mails and are retried until they are sent. The queue is in memory, so a restart loses waiting
 * e-mails.
 */
@Injectable()
export class MailQueue implements OnApplicationShutdown {
  private readonly logger = new Logger(MailQueue.name);
  private readonly routine = pLimit(CONCURRENCY);
  private readonly warnings = pLimit(CONCURRENCY);
  private unsentWarnings = 0;

  /** `again` makes the queue retry a warning that the account's owner must receive. */
  add(send: () => Promise<void>, { again = false } = {}): void {
    if ((again ? this.unsentWarnings : this.routine.pendingCount) >= MAX_QUEUED) {
      this.logger.warn(`an e-mail is not sent: ${MAX_QUEUED} others are waiting`);
    } else if (again) {
      this.unsentWarnings++;
      this.tryWarning({ send, since: monotonicClock.now(), failures: 0 });
    } else {
      void this.routine(() => send().catch((error: Error) => this.logFailure(error)));
    }
  }

  onApplicationShutdown(): void {
    if (this.unsentWarnings > 0)
      this.logger.error(
        `${this.unsentWarnings} mails that warn owners of accounts are not sent, because this process stops`,
      );
  }

  private tryWarning(warning: Warning): void {
    void this.warnings(() =>
      warning.send().then(
        () => void this.unsentWarnings--,
        (error: Error) => this.retry(warning, error),
      ),
    );
  }

  private retry(warning: Warning, error: Error): void {
    const failures = warning.failures++;
    const isTooOld = monotonicClock.now() - warning.since > RETRY_HOURS * 60 * MINUTE_MS;
    // A server that accepts e-mails but responds too late would deliver every attempt.
    const isGivenUp = isTooOld || mayHaveArrived(error);
    if (failures === 0 || isGivenUp) this.logFailure(error);
    if (isGivenUp) {
      this.unsentWarnings--;
      return;
    }
    const pause =
      error instanceof TooManyMails
        ? error.secondsLeft * 1000
        : (FIRST_RETRIES_MS[failures] ?? LATER_RETRIES_MS);
    setTimeout(() => this.tryWarning(warning), pause).unref();
  }

  private logFailure(error: Error): void {
    const reason = (error instanceof AppError ? error.reason : undefined) ?? error.message;
    this.logger.warn(`an e-mail was not sent: ${reason}`);
  }
}

/** Returns false if the server responded, because a message that it deferred (4xx) or rejected did not arrive. */
function mayHaveArrived(error: Error): boolean {
  return error instanceof MailUnavailable && error.mayArrive && error.reply === undefined;
}
