import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type NextFunction, type Request, type Response, Router } from 'express';
import { DataSource } from 'typeorm';
import { Environment } from '../platform/config/environment.js';
import { type ForumClient, forumPages } from './forum.js';
import { gameClientPages } from './game-client.js';
import { gameServerPages } from './game-server-pages.js';
import { greeting } from './greeting.js';
import { mailboxPages, startMailbox } from './mailbox.js';
import { STYLESHEET } from './page.js';
import { startGameDatabaseServer } from './game-database-server.js';
import { GameDatabaseFiles } from './game-database-files.js';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/** Stand-ins for the outside world of a first run: game servers, forum and mailbox, reached over HTTP, SQL and SMTP like real ones. */
export interface Sandbox {
  /** The environment, pointing at the stand-ins. */
  environment: Environment;
  mount: (app: NestExpressApplication) => void;
  createServers(app: NestExpressApplication): Promise<void>;
  /** For the person at the terminal. */
  greeting: string;
  close(): void;
}

export async function startSandbox(given: Environment): Promise<Sandbox> {
  const files = new GameDatabaseFiles(join(given.DATA_DIR, 'sandbox'));
  const mailbox = await startMailbox();
  const gameDatabase = await startGameDatabaseServer(files);
  const forum: ForumClient = {
    id: 'gatehouse',
    // The same secret after a restart: a browser may be in the middle of a forum login.
    secret: createHmac('sha256', given.GM_SECRET).update('sandbox forum').digest('hex'),
    redirectUri: `${given.PUBLIC_URL}/api/forumauth/callback`,
  };
  const internalUrl = `http://127.0.0.1:${given.PORT}`;

  return {
    environment: withSandbox(given, internalUrl, forum, {
      smtp: mailbox.port,
      gameDatabase: gameDatabase.port,
    }),
    mount(app) {
      const router = Router();
      router.use((_request: Request, response: Response, next: NextFunction) => {
        response.setHeader('Content-Security-Policy', CSP);
        response.setHeader('Cache-Control', 'no-store');
        next();
      });
      router.get('/style.css', (_request, response) => void response.type('css').send(STYLESHEET));
      router.use('/mail', mailboxPages(mailbox.mails));
      router.use('/forum', forumPages(forum));
      router.use('/gm', gameServerPages(files, given.GM_SECRET));
      router.use('/client', gameClientPages(internalUrl));
      app.use('/sandbox', router);
    },
    createServers: (app) => createServers(app.get(DataSource), given.PORT),
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
  // Several instances may get here at once; each server is inserted by one of them.
  for (const { id, name, port, status } of servers)
    await database.query(
      `INSERT OR IGNORE INTO server (id, name, address, port, status, sort, gm_address, gm_port, gm_path)
       VALUES (?, ?, '127.0.0.1', ?, ?, ?, '127.0.0.1', ?, '/sandbox/gm/command')`,
      [id, name, port, status, id, gmPort],
    );
}
