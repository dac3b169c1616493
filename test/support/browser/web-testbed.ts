import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Client } from '../api/client.js';
import { md5, PASSWORD, SECRETS, unique } from '../accounts.js';
import { freePort } from '../servers/free-port.js';
import { type Gatehouse, startGatehouse } from '../servers/gatehouse-process.js';
import { PlainForum } from '../servers/plain-forum.js';
import { MailServer } from '../servers/smtp.js';
import { removeFolder, temporaryDataFolder } from '../servers/temporary-folder.js';
import { until } from '../until.js';
import { Chromium } from './chromium.js';
import { EmbeddedDatabase, type Row } from './embedded-database.js';

// Tests request more codes from their address than the service sends without a challenge.
const BASE_SETTINGS = { withdraw: { gm_timeout: 10 }, challenge: { mode: 'off' } };

interface TestbedOptions {
  env?: Record<string, string>;
  settings?: object;
  /** Passkeys require localhost because they belong to a domain. */
  host?: '127.0.0.1' | 'localhost';
}

/** Runs the built service on the embedded database with a browser, a mail server, a forum and a game client. */
export class WebTestbed {
  private constructor(
    readonly url: string,
    readonly chromium: Chromium,
    readonly mail: MailServer,
    readonly forum: PlainForum,
    readonly database: EmbeddedDatabase,
    readonly clientUrl: string,
    readonly gatehouse: Gatehouse,
    private readonly gameClient: Server,
    private readonly folder: string,
  ) {}

  static async start(options: TestbedOptions = {}): Promise<WebTestbed> {
    const { env, settings, host = '127.0.0.1' } = options;
    const port = String(await freePort());
    const url = `http://${host}:${port}`;
    const [mail, forum, gameClient] = await Promise.all([
      MailServer.start(),
      PlainForum.start(url),
      startGameClient(),
    ]);
    const clientUrl = `http://127.0.0.1:${(gameClient.address() as AddressInfo).port}/play`;
    const folder = temporaryDataFolder('web-testbed');
    const settingsFile = join(folder, 'settings.yaml');
    writeFileSync(settingsFile, settingsText({ game_client_url: clientUrl, ...settings }));
    const [chromium, gatehouse] = await Promise.all([
      Chromium.start(),
      startGatehouse({
        ...SECRETS,
        PORT: port,
        DATA_DIR: folder,
        SETTINGS_FILE: settingsFile,
        SMTP_URL: mail.url,
        ...forum.env,
        ...env,
      }),
    ]);
    const database = new EmbeddedDatabase(folder);
    // The embedded database contains two sample servers.
    await database.query('DELETE FROM server');
    return new WebTestbed(
      url,
      chromium,
      mail,
      forum,
      database,
      clientUrl,
      gatehouse,
      gameClient,
      folder,
    );
  }

  /** Resolves once players can see the server. */
  async addServer(server: { name: string } & Row): Promise<number> {
    const row = { address: '127.0.0.1', port: 7000, ...server };
    const id = await this.database.insert('server', row);
    await this.untilServersMatch((servers) => servers.some(({ name }) => name === server.name));
    return id;
  }

  /** Resolves once players can see the change. */
  async setServerStatus(id: number, status: string): Promise<void> {
    await this.database.query('UPDATE server SET status = ? WHERE id = ?', [status, id]);
    await this.untilServersMatch((servers) =>
      servers.some((server) => server.id === id && server.status === status),
    );
  }

  async untilServersMatch(matches: (servers: Row[]) => boolean): Promise<void> {
    const client = new Client(this.url);
    await until(async () =>
      matches((await client.get('/api/server/list')).body.data?.servers ?? []),
    );
  }

  async createAccount(email: string | null = null): Promise<string> {
    const account = unique('hero');
    await this.database.insert('player', { account, password: md5(PASSWORD), email });
    return account;
  }

  async player(account: string): Promise<Row> {
    const [row] = await this.database.query('SELECT * FROM player WHERE account = ?', [account]);
    return row!;
  }

  /** Backdates all authentications, so that the next account change requires the password or the second factor. */
  async ageConfirmations(): Promise<void> {
    const before = new Date('2020-01-01');
    await this.database.query('UPDATE session SET confirmed_at = ?', [before]);
    await this.database.query('UPDATE session SET second_factor_at = ?', [before]);
  }

  /** Replaces the settings and resolves once the service uses them. */
  async changeSettings(settings: object): Promise<void> {
    const inForce = () => this.gatehouse.logs().split('is now in force').length;
    const before = inForce();
    writeFileSync(
      join(this.folder, 'settings.yaml'),
      settingsText({ game_client_url: this.clientUrl, ...settings }),
    );
    await until(() => inForce() > before);
  }

  async stop(): Promise<void> {
    await this.chromium.stop();
    await this.gatehouse.stop();
    this.database.close();
    await Promise.all([this.mail.stop(), this.forum.stop()]);
    this.gameClient.closeAllConnections();
    this.gameClient.close();
    removeFolder(this.folder);
  }
}

async function startGameClient(): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><link rel="icon" href="data:,"><title>the game</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Returns the settings with a random comment, so that each version is a change. */
function settingsText(settings: object): string {
  return `# ${randomUUID()}\n${stringify({ ...BASE_SETTINGS, ...settings })}`;
}
