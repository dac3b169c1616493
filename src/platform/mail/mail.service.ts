import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { MailerService } from '@nestjs-modules/mailer';
import { DataSource } from 'typeorm';
import { Player } from '../auth/player.entity.js';
import { Environment } from '../config/environment.js';
import type { MailOutcome } from '../audit/mail-event.entity.js';
import { MailEventLog } from '../audit/mail-event-log.js';
import { MailRateLimit } from './mail-rate-limit.js';
import { MailCapped, MailUnavailable, TooManyMails } from './mail.errors.js';
import type { MailKind, MailValues } from './mail-kind.js';
import { MailQueue } from './mail-queue.js';
import { MailTemplates } from './mail-templates.js';
import { MailMetrics } from './mail-metrics.js';

/** Hands mail to the mail server, or throws `MailUnavailable` within 10 s. Above the limit it throws `TooManyMails`. */
@Injectable()
export class MailService implements OnModuleInit {
  private readonly logger = new Logger(MailService.name);

  constructor(
    private readonly environment: Environment,
    private readonly mailer: MailerService,
    private readonly templates: MailTemplates,
    private readonly rateLimit: MailRateLimit,
    private readonly metrics: MailMetrics,
    private readonly events: MailEventLog,
    private readonly queue: MailQueue,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    if (!this.environment.SMTP_URL)
      this.logger.warn('no SMTP_URL is set: no mail can be sent, so nobody can register');
  }

  /** A feature registers each mail that it sends, so that a broken template is found before a mail needs it. */
  register(kind: MailKind): void {
    this.templates.register(kind);
  }

  /** Sends in the background. `again` retries for 20 minutes, for mails that the owner must get. */
  enqueue(send: () => Promise<void>, options?: { again: boolean }): void {
    this.queue.add(send, options);
  }

  /** Sends in the background, with retries, if the player has a mailbox. */
  notify<Values extends MailValues>(
    { id, email }: Pick<Player, 'id' | 'email'>,
    kind: MailKind<Values>,
    values: Values,
  ): void {
    if (email !== null) this.enqueue(() => this.send(email, kind, values, id), { again: true });
  }

  /** The player and the mailbox; undefined without a mailbox or a mail server. */
  async findOwner(id: number): Promise<{ player: Player; email: string } | undefined> {
    if (!this.environment.SMTP_URL) return undefined;
    const player = await this.dataSource.manager.findOneBy(Player, { id });
    return player?.email ? { player, email: player.email } : undefined;
  }

  /** Returns when the mail server has accepted the message. A mail to a player's mailbox is recorded. */
  async send<Values extends MailValues>(
    to: string,
    kind: MailKind<Values>,
    values: Values,
    playerId?: number,
  ): Promise<void> {
    const record = (outcome: MailOutcome, reply: number | null) => {
      if (playerId !== undefined)
        this.events.record({ playerId, kind: kind.name, outcome, reply, mailbox: to });
    };
    try {
      await this.handOver(to, kind, values, playerId);
      record('sent', null);
    } catch (error) {
      record(outcomeOf(error), replyOf(error) ?? null);
      if (!(error instanceof MailCapped)) throw error;
    }
  }

  private async handOver(
    to: string,
    kind: MailKind,
    values: MailValues,
    playerId?: number,
  ): Promise<void> {
    const from = this.environment.MAIL_FROM;
    const capKey = kind.isCapped && playerId !== undefined ? `${kind.name} ${playerId}` : undefined;
    const undoCount = await this.rateLimit.consume(capKey);
    const started = performance.now();
    try {
      await this.mailer.sendMail({ from, to, ...(await this.templates.render(kind, values)) });
      this.metrics.record(started, 'taken');
    } catch (error) {
      this.metrics.record(started, 'failed', replyOf(error));
      // A mail that may still arrive counts.
      if (!(error instanceof MailUnavailable && error.mayArrive)) await undoCount();
      throw error;
    }
  }
}

function replyOf(error: unknown): number | undefined {
  return error instanceof MailUnavailable ? error.reply : undefined;
}

function outcomeOf(error: unknown): MailOutcome {
  if (error instanceof TooManyMails || error instanceof MailCapped) return 'held_back';
  // The contract counts a message that was put off (4xx) as one that may arrive; for a person, the answer was no.
  const isUncertain =
    error instanceof MailUnavailable && error.mayArrive && error.reply === undefined;
  return isUncertain ? 'uncertain' : 'failed';
}
