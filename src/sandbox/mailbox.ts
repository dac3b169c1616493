import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Router } from 'express';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { escapeHtml, page } from './page.js';

const MAX_MAILS = 50;

interface Mail {
  recipient: string;
  subject: string;
  body: string;
  receivedAt: string;
}

export async function startMailbox(): Promise<{ mails: Mail[]; port: number; close(): void }> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const deliver = async () => {
        const message = await PostalMime.parse(await buffer(stream));
        const recipient = session.envelope.rcptTo.map(({ address }) => address).join(', ');
        const { subject = '', text: body = '' } = message;
        mails.unshift({ recipient, subject, body, receivedAt: new Date().toISOString() });
        mails.splice(MAX_MAILS);
      };
      deliver().then(
        () => done(), // oxlint-disable-line promise/no-callback-in-promise -- the server waits for it
        done,
      );
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return { mails, port, close: () => server.close() };
}

/** Shows the e-mails on a page that reloads itself while a person waits for a code. */
export function mailboxPages(mails: readonly Mail[]): Router {
  return Router().get('/', (_request, response) => {
    const articles = mails.map(
      ({ recipient, subject, body, receivedAt }) => `
        <article>
          <header><strong>${escapeHtml(recipient)}</strong> <time>${escapeHtml(receivedAt)}</time></header>
          <h2>${escapeHtml(subject)}</h2>
          <pre>${escapeHtml(body)}</pre>
        </article>`,
    );
    const content =
      articles.join('') || '<p>No mail yet. Ask for a code, and it will be here in a moment.</p>';
    response.type('html').send(page('Mailbox', content, { refreshSeconds: 2 }));
  });
}
