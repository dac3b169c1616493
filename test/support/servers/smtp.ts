import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { until } from '../until.js';

interface ReceivedMail {
  from: string;
  to: string[];
  raw: string;
  code: string;
}

/** Runs a mail server on loopback that keeps the e-mails that it receives. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];

  private constructor(private readonly server: SMTPServer) {}

  /** `behaviour` replaces handlers, for example to reject e-mails. */
  static async start(behaviour: SMTPServerOptions = {}): Promise<MailServer> {
    const mails: ReceivedMail[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData(stream, session, accept) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString();
          const { mailFrom, rcptTo } = session.envelope;
          const to = rcptTo.map(({ address }) => address);
          mails.push({ from: mailFrom ? mailFrom.address : '', to, raw, code: codeIn(raw) });
          accept();
        });
      },
      ...behaviour,
    });
    // Some tests disconnect on purpose.
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    return Object.assign(new MailServer(server), { mails });
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  mailsTo(address: string): ReceivedMail[] {
    return this.mails.filter(({ to }) => to.includes(address));
  }

  /** Returns the newest code that was sent to this e-mail address. */
  async codeFor(address: string): Promise<string> {
    const codes = () => this.mailsTo(address).filter(({ code }) => code !== '');
    await until(() => codes().length > 0);
    return codes().at(-1)!.code;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

function codeIn(raw: string): string {
  const [head = ''] = raw.split('\r\n\r\n');
  const subject = /^Subject: ((?:.*)(?:\r\n[ \t].*)*)/im.exec(head)?.[1] ?? '';
  const readable = subject
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?(b|q)\?(.*?)\?=/gi, (_, kind: string, encoded: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(encoded, 'base64').toString('latin1') : encoded,
    );
  return /\d{6}/.exec(readable)?.[0] ?? '';
}
