import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createPool, type Pool, type RowDataPacket } from 'mysql2/promise';
import { stringify } from 'yaml';
import { Chromium } from './chromium.js';
import { Client } from '../api/client.js';
import { type Deployment, freshDeployment, SECRETS } from '../api/deployment.js';
import { PASSWORD, unique } from '../api/factories.js';
import { freePort } from '../servers/free-port.js';
import { type Gatehouse, startGatehouse } from '../servers/gatehouse-process.js';
import { PlainForum } from '../servers/plain-forum.js';
import { MailServer } from '../servers/smtp.js';
import { removeFolder, temporaryFolder } from '../servers/temporary-folder.js';
import { until } from '../until.js';
import { GM_TIMEOUT } from '../api/withdrawals.js';

interface ServerRow {
  name: string;
  status?: string;
  open_at?: Date;
  gm_port?: number;
}

/** The built service with everything around it that a player meets: a browser, a mailbox, a forum, a game client. */
export class WebTestbed {
  private constructor(
    readonly url: string,
    readonly chromium: Chromium,
    readonly mail: MailServer,
    readonly forum: PlainForum,
    readonly clientUrl: string,
    private readonly gatehouse: Gatehouse,
    private readonly deployment: Deployment,
    private readonly pool: Pool,
    private readonly gameClient: Server,
    private readonly folder: string,
  ) {}

  static async start(env: Record<string, string> = {}, settings: object = {}): Promise<WebTestbed> {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const [deployment, mail, forum, chromium] = await Promise.all([
      freshDeployment(),
      MailServer.start(),
      PlainForum.start(url),
      Chromium.start(),
    ]);
    const gameClient = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><link rel="icon" href="data:,"><title>the game</title>');
    });
    await new Promise<void>((resolve) => gameClient.listen(0, '127.0.0.1', resolve));
    const clientUrl = `http://127.0.0.1:${(gameClient.address() as AddressInfo).port}/play`;

    const folder = temporaryFolder('web-stage');
    writeFileSync(
      join(folder, 'settings.yaml'),
      settingsText({ game_client_url: clientUrl, ...settings }),
    );
    const gatehouse = await startGatehouse({
      ...deployment.env,
      PORT: port,
      SETTINGS_FILE: join(folder, 'settings.yaml'),
      SMTP_URL: mail.url,
      ...forum.env,
      ...env,
    });
    const pool = createPool({ uri: deployment.url, connectionLimit: 2 });
    return new WebTestbed(
      url,
      chromium,
      mail,
      forum,
      clientUrl,
      gatehouse,
      deployment,
      pool,
      gameClient,
      folder,
    );
  }

  get pid(): number {
    return this.gatehouse.pid;
  }

  async sql(statement: string, values: unknown[] = []): Promise<RowDataPacket[]> {
    const [rows] = await this.pool.query<RowDataPacket[]>(statement, values);
    return rows;
  }

  /** Shown within a second, as an operator's edit is. */
  async addServer(server: ServerRow): Promise<number> {
    const row = { address: '127.0.0.1', port: 7000, ...server };
    await this.sql('INSERT INTO server SET ?', [row]);
    const [created] = await this.sql('SELECT id FROM server WHERE name = ?', [server.name]);
    const client = new Client(this.url);
    await until(async () => (await client.get('/api/server/list')).text.includes(server.name));
    return created!.id as number;
  }

  async createAccount(email: string | null = null): Promise<string> {
    const account = unique('hero');
    const password = createHash('md5')
      .update(PASSWORD + SECRETS.PASSWORD_KEY)
      .digest('hex');
    await this.sql('INSERT INTO player SET ?', [{ account, password, email }]);
    return account;
  }

  /** In force, as an operator's edit is, within two seconds. */
  async changeSettings(changes: object): Promise<void> {
    const file = join(this.folder, 'settings.yaml');
    const inForce = () => this.gatehouse.logs().split('is now in force').length;
    const before = inForce();
    writeFileSync(file, settingsText({ game_client_url: this.clientUrl, ...changes }));
    await until(() => inForce() > before);
  }

  async stop(): Promise<void> {
    await this.chromium.stop();
    await this.gatehouse.stop();
    await Promise.all([this.pool.end(), this.mail.stop(), this.forum.stop()]);
    this.gameClient.closeAllConnections();
    this.gameClient.close();
    await this.deployment.drop();
    removeFolder(this.folder);
  }
}

function settingsText(changes: object): string {
  return `# ${randomUUID()}\n${stringify({ withdraw: GM_TIMEOUT, ...changes })}`;
}
