import { Socket } from 'node:net';
import type { Transport } from 'nodemailer';
import SMTPTransport from 'nodemailer/lib/smtp-transport';
import { MailUnavailable } from './mail.errors.js';

const TIMEOUT_MS = 10_000;

type Send = Transport<SMTPTransport.SentMessageInfo>['send'];

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** Sends each e-mail over its own connection, which is closed after 10 s even if the server is still active. */
export class SmtpTransport implements Transport<SMTPTransport.SentMessageInfo> {
  readonly name = 'SMTP';
  readonly version = '1';

  constructor(private readonly url: string | undefined) {}

  send: Send = (mail, done) => {
    if (!this.url) return done(new MailUnavailable('no SMTP_URL is set'), null!);
    const socket = new Socket();
    let mayArrive = false;
    let isOver = false;
    const end = (error: Error | null, info?: SMTPTransport.SentMessageInfo) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (!error) return done(null, info);
      // nodemailer's `close` would still send the data that is already written.
      socket.destroy();
      done(
        new MailUnavailable(`the mail server did not take a message: ${reasonOf(error)}`, {
          mayArrive: mayArrive && !isRefused(error),
          reply: (error as SmtpError).responseCode,
        }),
        null!,
      );
    };
    const timer = setTimeout(() => end(new Error('it took more than 10 s')), TIMEOUT_MS);
    socket.on('error', end);
    // nodemailer reads the message only after the server has accepted the DATA command.
    const createReadStream = mail.message.createReadStream.bind(mail.message);
    mail.message.createReadStream = (options) =>
      createReadStream(options).once('resume', () => (mayArrive = true));
    const transport = new SMTPTransport({
      url: this.url,
      getSocket: ({ host = 'localhost', port, secure }, give) => {
        socket.connect(Number(port) || (secure ? 465 : 587), host, () =>
          give(null, { connection: socket }),
        );
      },
    });
    transport.send(mail, end);
  };
}

/** Connects and signs in without sending an e-mail. */
export async function verifySmtp(url: string): Promise<void> {
  const timeouts = {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  };
  const transport = new SMTPTransport({ url, ...timeouts });
  try {
    await transport.verify();
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`the mail server cannot be used: ${message}; start it, or correct SMTP_URL`, {
      cause: error,
    });
  } finally {
    transport.close();
  }
}

/** Returns true after a 5xx for the whole message, because the server then discards the message. */
function isRefused({ responseCode }: SmtpError): boolean {
  return responseCode !== undefined && responseCode >= 500;
}

/** Omits the server's own text, because some servers repeat the message, which must not be logged. */
function reasonOf(error: Error): string {
  const { code, command, responseCode, message }: SmtpError = error;
  if (code === undefined) return message;
  return [code, command, responseCode].filter((part) => part !== undefined).join(' ');
}
