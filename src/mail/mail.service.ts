import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { Environment } from '../config/environment.js';
import { MailUnavailable } from './mail.errors.js';

const PATIENCE_MS = 10_000;

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** Hands mail to the mail server, or refuses within 10 s. */
@Injectable()
export class MailService implements OnModuleInit {
  private readonly logger = new Logger(MailService.name);

  constructor(private readonly environment: Environment) {}

  onModuleInit(): void {
    if (!this.environment.SMTP_URL)
      this.logger.warn('no SMTP_URL is set: no mail can be sent, so nobody can register');
  }

  /** Comes back when the mail server has accepted the message. */
  async send(mail: Mail): Promise<void> {
    const { SMTP_URL: url } = this.environment;
    if (!url) throw new MailUnavailable('no SMTP_URL is set');
    await this.deliver(url, mail);
  }

  private async deliver(url: string, mail: Mail): Promise<void> {
    const transport = createTransport({
      url,
      connectionTimeout: PATIENCE_MS,
      greetingTimeout: PATIENCE_MS,
      socketTimeout: PATIENCE_MS,
      dnsTimeout: PATIENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    let timer: NodeJS.Timeout | undefined;
    // Each of the time-outs above starts anew with every step; this one ends them all.
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('it took too long')), PATIENCE_MS);
    });
    try {
      await Promise.race([
        transport.sendMail({ ...mail, from: this.environment.MAIL_FROM }),
        tooLong,
      ]);
    } catch (error) {
      throw new MailUnavailable(`the mail server did not take a message: ${reasonOf(error)}`);
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  }
}

/** Not the server's own words: some repeat the message, and with it what must not be in a log. */
function reasonOf(error: unknown): string {
  const { code, command, responseCode, message } = error as SmtpError;
  if (code === undefined) return message;
  return [code, command, responseCode].filter((part) => part !== undefined).join(' ');
}
