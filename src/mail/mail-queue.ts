import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../http/errors/app-error.js';

const AT_ONCE = 4;
const MOST_WAITING = 5000;

/** Sends mails that nobody waits for, a few at a time. What does not fit, or fails, is told in the log. */
@Injectable()
export class MailQueue {
  private readonly logger = new Logger(MailQueue.name);
  private readonly waiting: Array<() => Promise<void>> = [];
  private underWay = 0;

  add(send: () => Promise<void>): void {
    if (this.waiting.length >= MOST_WAITING) {
      this.logger.warn(`a mail is not sent: ${MOST_WAITING} others are waiting`);
      return;
    }
    this.waiting.push(send);
    if (this.underWay < AT_ONCE) void this.work();
  }

  private async work(): Promise<void> {
    this.underWay++;
    for (let send = this.waiting.shift(); send; send = this.waiting.shift())
      await send().catch((error: Error) =>
        this.logger.warn(`a mail was not sent: ${reasonOf(error)}`),
      );
    this.underWay--;
  }
}

function reasonOf(error: Error): string {
  return (error instanceof AppError ? error.reason : undefined) ?? error.message;
}
