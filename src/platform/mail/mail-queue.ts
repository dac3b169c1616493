import { Injectable, Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { AppError } from '../http/errors/app-error.js';
import { MailUnavailable } from './mail.errors.js';

const CONCURRENCY = 4;
const MAX_QUEUED = 5000;
const MINUTE_MS = 60_000;
const RETRY_DELAYS_MS = [MINUTE_MS, 4 * MINUTE_MS, 15 * MINUTE_MS];

interface QueuedMail {
  send: () => Promise<void>;
  /** Delay before each retry. */
  retryDelays: number[];
}

/** Sends mails that nobody waits for, a few at a time. Logs those that do not fit or fail. */
@Injectable()
export class MailQueue {
  private readonly logger = new Logger(MailQueue.name);
  private readonly limit = pLimit(CONCURRENCY);
  private awaitingRetry = 0;

  /** `again`: retries for 20 minutes, for a mail that the owner of an account must get. */
  add(send: () => Promise<void>, { again = false } = {}): void {
    this.enqueue({ send, retryDelays: again ? RETRY_DELAYS_MS : [] });
  }

  private enqueue(mail: QueuedMail): void {
    if (this.limit.pendingCount + this.awaitingRetry >= MAX_QUEUED) {
      this.logger.warn(`a mail is not sent: ${MAX_QUEUED} others are waiting`);
      return;
    }
    void this.limit(() => mail.send().catch((error: Error) => this.handleFailure(mail, error)));
  }

  private handleFailure({ send, retryDelays: [pause, ...pauses] }: QueuedMail, error: Error): void {
    this.logger.warn(`a mail was not sent: ${reasonOf(error)}`);
    const mayArrive = error instanceof MailUnavailable && error.mayArrive;
    if (pause === undefined || mayArrive) return;
    this.awaitingRetry++;
    setTimeout(() => {
      this.awaitingRetry--;
      this.enqueue({ send, retryDelays: pauses });
    }, pause).unref();
  }
}

function reasonOf(error: Error): string {
  return (error instanceof AppError ? error.reason : undefined) ?? error.message;
}
