import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type NextFunction, type Request, type Response, Router } from 'express';
import { DataSource } from 'typeorm';
import { Environment, SANDBOX_GM_PATH } from '../platform/config/environment.js';
import { Exchanges } from './exchanges.js';
import { type ForumClient, forumPages } from './forum.js';
import { gameClientPages, ServiceClient } from './game-client.js';
import { GameDatabaseFiles } from './game-database-files.js';
import { startGameDatabaseServer } from './game-database-server.js';
import { gameServerPages } from './game-server.js';
import { mailboxPages, startMailbox } from './mailbox.js';
import { STYLESHEET } from './page.js';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/**
 * Simulates the game servers, the forum and the mail server in embedded mode. The service reaches them over HTTP, SQL
 * and SMTP like the real ones.
 */
export async function startSandbox(given: Environment) {
  const files = new GameDatabaseFiles(join(given.DATA_DIR, 'sandbox'));
  const mailbox = await startMailbox();
  const gameDatabase = await startGameDatabaseServer(files);
  const forum: ForumClient = {
    id: 'gatehouse',
    // The secret survives a restart, because a browser may be in the middle of a forum login.
    secret: createHmac('sha256', given.GM_SECRET).update('sandbox forum').digest('hex'),
    redirectUri: `${given.PUBLIC_URL}/api/forumauth/callback`,
  };
  const internalUrl = `http://127.0.0.1:${given.PORT}`;

  return {
    environment: withSandbox(given, internalUrl, forum, {
      smtp: mailbox.port,
      gameDatabase: gameDatabase.port,
    }),
    mount: (app: NestExpressApplication) => {
      const router = Router();
      router.use((_request: Request, response: Response, next: NextFunction) => {
        response.setHeader('Content-Security-Policy', CSP);
        response.setHeader('Cache-Control', 'no-store');
        next();
      });
      router.get('/style.css', (_request, response) => void response.type('css').send(STYLESHEET));
      router.use('/mail', mailboxPages(mailbox.mails));
      router.use('/forum', forumPages(forum));
      const exchanges = new Exchanges();
      router.use('/gm', gameServerPages(files, given.GM_SECRET, exchanges));
      const service = new ServiceClient(internalUrl, given.callbackSecrets[0], exchanges);
      router.use('/client', gameClientPages(service));
      app.use('/sandbox', router);
    },
    createServers: (app: NestExpressApplication) => createServers(app.get(DataSource), given.PORT),
    greeting: greeting(given.PUBLIC_URL, given.DATA_DIR),
    close() {
      mailbox.close();
      gameDatabase.close();
      files.close();
    },
  };
}

function withSandbox(
  given: Environment,
  internalUrl: string,
  forum: ForumClient,
  ports: { smtp: number; gameDatabase: number },
): Environment {
  const sandbox: Partial<Environment> = {
    SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
    GAME_DATABASE_URL: `mysql://sandbox@127.0.0.1:${ports.gameDatabase}`,
    FORUM_AUTHORIZE_URL: `${given.PUBLIC_URL}/sandbox/forum/authorize`,
    FORUM_TOKEN_URL: `${internalUrl}/sandbox/forum/token`,
    FORUM_USERINFO_URL: `${internalUrl}/sandbox/forum/userinfo`,
    FORUM_CLIENT_ID: forum.id,
    FORUM_CLIENT_SECRET: forum.secret,
    sandboxUrl: `${given.PUBLIC_URL}/sandbox`,
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return Object.assign(new Environment(), sandbox, set);
}

/** Inserts two servers into an empty `server` table, as an operator would. */
async function createServers(database: DataSource, gmPort: number): Promise<void> {
  const servers = [
    { id: 1, name: '龙谷 · Dragon Valley', port: 7001, status: 'new' },
    { id: 2, name: '沙城 · Sand Keep', port: 7002, status: 'normal' },
  ];
  const [row] = (await database.query('SELECT COUNT(*) AS present FROM server')) as [
    { present: number },
  ];
  if (row.present > 0) return;
  // Several instances may run this code concurrently, but only one of them inserts each server.
  for (const { id, name, port, status } of servers)
    await database.query(
      `INSERT OR IGNORE INTO server (id, name, address, port, status, sort, gm_address, gm_port, gm_path)
       VALUES (?, ?, '127.0.0.1', ?, ?, ?, '127.0.0.1', ?, ?)`,
      [id, name, port, status, id, gmPort, SANDBOX_GM_PATH],
    );
}

function greeting(url: string, dataFolder: string): string {
  return [
    '',
    `  Gatehouse is open:          ${url}`,
    `  The codes it mails:         ${url}/sandbox/mail`,
    `  Make the game server fail:  ${url}/sandbox/gm`,
    `  The API, to try out:        ${url}/api/docs`,
    `  Accounts and roles are kept in ${dataFolder}; Ctrl-C stops it.`,
    '',
  ].join('\n');
}
