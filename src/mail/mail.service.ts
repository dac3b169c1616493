import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { MailerService } from '@nestjs-modules/mailer';
import { Environment } from '../config/environment.js';
import type { MailOutcome } from '../journal/mail-event.entity.js';
import { MailJournal } from '../journal/mail-journal.js';
import { MailCeiling } from './mail-ceiling.js';
import { MailUnavailable, TooManyMails } from './mail.errors.js';
import type { MailKind, MailValues } from './mail-kind.js';
import { MailTemplates } from './mail-templates.js';
import { MailTimes } from './mail-times.js';

/** Hands mail to the mail server, or throws `MailUnavailable` within 10 s. Above the ceiling it throws `TooManyMails`. */
@Injectable()
export class MailService implements OnModuleInit {
  private readonly logger = new Logger(MailService.name);

  constructor(
    private readonly environment: Environment,
    private readonly mailer: MailerService,
    private readonly templates: MailTemplates,
    private readonly ceiling: MailCeiling,
    private readonly times: MailTimes,
    private readonly journal: MailJournal,
  ) {}

  onModuleInit(): void {
    if (!this.environment.SMTP_URL)
      this.logger.warn('no SMTP_URL is set: no mail can be sent, so nobody can register');
  }

  /** Returns when the mail server has accepted the message. To a player's mailbox it is written down. */
  async send<Values extends MailValues>(
    to: string,
    kind: MailKind<Values>,
    values: Values,
    playerId?: number,
  ): Promise<void> {
    const note = (outcome: MailOutcome) => {
      if (playerId !== undefined)
        this.journal.note({ playerId, kind: kind.name, outcome, mailbox: to });
    };
    try {
      await this.handOver(to, kind, values);
      note('sent');
    } catch (error) {
      note(outcomeOf(error));
      throw error;
    }
  }

  private async handOver(to: string, kind: MailKind, values: MailValues): Promise<void> {
    const from = this.environment.MAIL_FROM;
    const giveBack = await this.ceiling.take();
    const started = performance.now();
    try {
      await this.mailer.sendMail({ from, to, ...(await this.templates.render(kind, values)) });
      this.times.add(started, 'taken');
    } catch (error) {
      this.times.add(started, 'failed');
      // A mail that may still arrive counts.
      if (!(error instanceof MailUnavailable && error.mayArrive)) await giveBack();
      throw error;
    }
  }
}

function outcomeOf(error: unknown): MailOutcome {
  if (error instanceof TooManyMails) return 'held_back';
  return error instanceof MailUnavailable && error.mayArrive ? 'uncertain' : 'failed';
}
