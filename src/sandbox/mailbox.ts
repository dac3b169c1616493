import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Router } from 'express';
import type Libsql from 'libsql';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { escapeHtml, page } from './page.js';

const MAX_MAILS = 50;

interface Mail {
  recipient: string;
  subject: string;
  body: string;
  received_at: string;
}

/** An SMTP server whose mail is shown on a page. */
export async function startMailbox(
  store: Libsql.Database,
): Promise<{ port: number; close(): void }> {
  store.exec(`
    CREATE TABLE IF NOT EXISTS mail (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      recipient TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, received_at TEXT NOT NULL
    )`);
  const insertMail = store.prepare(
    'INSERT INTO mail (recipient, subject, body, received_at) VALUES (?, ?, ?, ?)',
  );
  const deleteOldMails = store.prepare(
    'DELETE FROM mail WHERE id <= (SELECT MAX(id) FROM mail) - ?',
  );
  const { SMTPServer, PostalMime } = await mailPackages();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const deliver = async () => {
        const message = await PostalMime.parse(await buffer(stream));
        const recipients = session.envelope.rcptTo.map(({ address }) => address).join(', ');
        insertMail.run(
          recipients,
          message.subject ?? '',
          message.text ?? '',
          new Date().toISOString(),
        );
        deleteOldMails.run(MAX_MAILS);
      };
      deliver().then(
        () => done(), // oxlint-disable-line promise/no-callback-in-promise -- the server waits for it
        done,
      );
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return { port: (server.server.address() as AddressInfo).port, close: () => server.close() };
}

/** Development packages: only the sandbox needs them, and the production image has none of it. */
async function mailPackages() {
  try {
    const [{ SMTPServer }, { default: PostalMime }] = await Promise.all([
      import('smtp-server'),
      import('postal-mime'),
    ]);
    return { SMTPServer, PostalMime };
  } catch {
    throw new ConfigurationError('environment', [
      'DATABASE_URL must be set: the sandbox for a first run needs the development packages, which are not installed here',
    ]);
  }
}

/** Newest mail first. The page reloads itself while a person waits for a code. */
export function mailboxPages(store: Libsql.Database): Router {
  const newest = store.prepare(`SELECT * FROM mail ORDER BY id DESC LIMIT ${MAX_MAILS}`);
  return Router().get('/', (_request, response) => {
    const mails = newest.all() as unknown as Mail[];
    const articles = mails.map(
      ({ recipient, subject, body, received_at }) => `
        <article>
          <header><strong>${escapeHtml(recipient)}</strong> <time>${escapeHtml(received_at)}</time></header>
          <h2>${escapeHtml(subject)}</h2>
          <pre>${escapeHtml(body)}</pre>
        </article>`,
    );
    const content =
      articles.join('') || '<p>No mail yet. Ask for a code, and it will be here in a moment.</p>';
    response.type('html').send(page('Mailbox', content, { refreshSeconds: 2 }));
  });
}
