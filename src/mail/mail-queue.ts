import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../http/errors/app-error.js';
import { MailUnavailable } from './mail.errors.js';

const AT_ONCE = 4;
const MOST_WAITING = 5000;
const MINUTE_MS = 60_000;
const PAUSES_MS = [MINUTE_MS, 4 * MINUTE_MS, 15 * MINUTE_MS];

interface Waiting {
  send: () => Promise<void>;
  /** Before each further try. */
  pauses: number[];
}

/** Sends mails that nobody waits for, a few at a time. What does not fit, or fails, is told in the log. */
@Injectable()
export class MailQueue {
  private readonly logger = new Logger(MailQueue.name);
  private readonly waiting: Waiting[] = [];
  private underWay = 0;
  private paused = 0;

  /** `again`: is tried for 20 minutes, for a mail that the owner of an account has to get. */
  add(send: () => Promise<void>, { again = false } = {}): void {
    this.put({ send, pauses: again ? PAUSES_MS : [] });
  }

  private put(mail: Waiting): void {
    if (this.waiting.length + this.paused >= MOST_WAITING) {
      this.logger.warn(`a mail is not sent: ${MOST_WAITING} others are waiting`);
      return;
    }
    this.waiting.push(mail);
    if (this.underWay < AT_ONCE) void this.work();
  }

  private async work(): Promise<void> {
    this.underWay++;
    for (let mail = this.waiting.shift(); mail; mail = this.waiting.shift()) {
      const { send, pauses } = mail;
      await send().catch((error: Error) => this.failed({ send, pauses }, error));
    }
    this.underWay--;
  }

  private failed({ send, pauses: [pause, ...pauses] }: Waiting, error: Error): void {
    this.logger.warn(`a mail was not sent: ${reasonOf(error)}`);
    const mayArrive = error instanceof MailUnavailable && error.mayArrive;
    if (pause === undefined || mayArrive) return;
    this.paused++;
    setTimeout(() => {
      this.paused--;
      this.put({ send, pauses });
    }, pause).unref();
  }
}

function reasonOf(error: Error): string {
  return (error instanceof AppError ? error.reason : undefined) ?? error.message;
}
