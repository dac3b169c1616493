import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { MailerService } from '@nestjs-modules/mailer';
import { DataSource } from 'typeorm';
import { Player } from '../auth/player.entity.js';
import { Environment } from '../config/environment.js';
import type { MailOutcome } from '../audit/audit.entity.js';
import { MailEventLog } from '../audit/mail-event-log.js';
import { MailRateLimit } from './mail-rate-limit.js';
import { MailCapped, MailUnavailable, TooManyMails } from './mail.errors.js';
import { type MailKind, type MailValues, MailTemplates } from './mail-templates.js';
import { MailQueue } from './mail-queue.js';
import { MailMetrics } from './mail-metrics.js';

export interface Owner {
  player: Player;
  email: string;
}

/** `send` throws `MailUnavailable` within 10 s if the server fails, and `TooManyMails` above the limit. */
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

  /** Registers a kind of e-mail, so that a broken template is found before an e-mail needs it. */
  register(kind: MailKind): void {
    this.templates.register(kind);
  }

  /** Sends a routine e-mail in the background without retries. */
  enqueue(send: () => Promise<void>): void {
    this.queue.add(send);
  }

  /**
   * Warns the player at this e-mail address in the background, with retries until the mail server accepts the e-mail.
   */
  notify<Values extends MailValues>(
    { id, email }: Pick<Player, 'id' | 'email'>,
    kind: MailKind<Values>,
    values: Values,
  ): void {
    if (email !== null)
      this.warnOwner(id, ({ email: mailbox }) => this.send(mailbox, kind, values, id), email);
  }

  /**
   * Warns the owner in the background, with retries until the mail server accepts the e-mail. Retries use the e-mail
   * address of the first attempt, because a thief may replace the address in between. The owner of a closed account
   * gets no more e-mails.
   */
  warnOwner(playerId: number, send: (owner: Owner) => Promise<void>, mailbox?: string): void {
    let email = mailbox;
    const sendUnlessClosed = async () => {
      const owner = await this.findOwner(playerId);
      if (!owner) return;
      email ??= owner.email;
      await send({ player: owner.player, email });
    };
    this.queue.add(sendUnlessClosed, { again: true });
  }

  /** Returns the player and the e-mail address, or undefined without an e-mail address or a mail server. */
  async findOwner(id: number): Promise<Owner | undefined> {
    if (!this.environment.SMTP_URL) return undefined;
    const player = await this.dataSource.manager.findOneBy(Player, { id });
    return player?.email ? { player, email: player.email } : undefined;
  }

  /** Resolves when the mail server has accepted the message, and records every outcome with its duration. */
  async send<Values extends MailValues>(
    to: string,
    kind: MailKind<Values>,
    values: Values,
    playerId?: number,
  ): Promise<void> {
    let started: number | undefined;
    const record = (outcome: MailOutcome, reply: number | null) => {
      const ms = started === undefined ? null : Math.round(performance.now() - started);
      const mail = { playerId: playerId ?? null, kind: kind.name, mailbox: to };
      this.events.record({ ...mail, outcome, reply, ms });
    };
    try {
      const language = 'zh' in values ? {} : await this.languageOf(playerId);
      const undoCount = await this.consumeLimit(kind, playerId);
      started = performance.now();
      await this.handOver(to, kind, { ...language, ...values }, undoCount);
      record('sent', null);
    } catch (error) {
      record(outcomeOf(error), replyOf(error) ?? null);
      if (!(error instanceof MailCapped)) throw error;
    }
  }

  /** If the player's language is unknown, the e-mail is in both languages. */
  private async languageOf(playerId?: number): Promise<MailValues> {
    const player =
      playerId !== undefined && (await this.dataSource.manager.findOneBy(Player, { id: playerId }));
    if (!player || !player.language) return {};
    return { zh: Number(player.language === 'zh'), en: Number(player.language === 'en') };
  }

  private consumeLimit(kind: MailKind, playerId?: number) {
    return kind.isRoutine
      ? this.rateLimit.consume()
      : this.rateLimit.consumeWarning(`${kind.name} ${playerId}`);
  }

  private async handOver(
    to: string,
    kind: MailKind,
    values: MailValues,
    undoCount: () => Promise<void>,
  ): Promise<void> {
    const from = this.environment.MAIL_FROM;
    const started = performance.now();
    try {
      await this.mailer.sendMail({ from, to, ...(await this.templates.render(kind, values)) });
      this.metrics.record(started, 'taken');
    } catch (error) {
      this.metrics.record(started, 'failed', replyOf(error));
      // An e-mail that may still arrive remains counted.
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
  // The API treats a deferred message (4xx) as one that may arrive, but its stored outcome is `failed`.
  const isUncertain =
    error instanceof MailUnavailable && error.mayArrive && error.reply === undefined;
  return isUncertain ? 'uncertain' : 'failed';
}
