import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Answer, Client } from './client.js';
import { SECRETS } from './deployment.js';
import { unique } from './factories.js';
import { query } from './galera.js';
import { type Gatehouse, startGatehouse } from './gatehouse-process.js';
import { temporaryFolder } from './temporary-folder.js';

export const PASSWORD = 'correct horse';

/** A settings file under which a crowd from loopback is not turned away. */
export function crowdSettings(more: object = {}): string {
  const file = join(temporaryFolder('crowd'), 'settings.yaml');
  writeFileSync(file, stringify({ rate_limit: { per_minute: 1_000_000 }, ...more }));
  return file;
}

/** Instances that start at the same moment, each on a database URL of its own. */
export function startFleet(urls: string[], env: Record<string, string>): Promise<Gatehouse[]> {
  return Promise.all(
    urls.map((url) => startGatehouse({ ...SECRETS, ...env, DATABASE_URL: url })),
  );
}

/** A player who was there before, by SQL. */
export async function insertPlayer(url: string): Promise<{ id: number; account: string }> {
  const account = unique('p');
  const password = createHash('md5')
    .update(PASSWORD + SECRETS.PASSWORD_KEY)
    .digest('hex');
  const sql = 'INSERT INTO player (account, password) VALUES (?, ?)';
  const { insertId } = (await query(url, sql, [account, password])) as unknown as {
    insertId: number;
  };
  return { id: insertId, account };
}

export async function logIn(client: Client, account: string): Promise<string> {
  const answer = await client.post('/api/login', { account, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`login: ${answer.text}`);
  return answer.body.data.token as string;
}

/** How often each status came: `{ 200: 60 }`. */
export function tally(answers: Array<Pick<Answer, 'status'>>): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Players that link new identities, report and enter without a pause; what was answered 200 must be there in the end. */
export class Crowd {
  readonly linked: string[] = [];
  readonly reported: string[] = [];
  entered = 0;
  readonly statuses: Array<{ status: number; error?: string; path: string }> = [];
  private running = true;
  private readonly work: Array<Promise<void>> = [];

  constructor(
    private readonly url: string,
    private readonly client: Client,
    private readonly player: { id: number; account: string },
    private readonly token: string,
    private readonly zone: number,
  ) {}

  start(count: number): this {
    for (let one = 0; one < count; one++)
      this.work.push(this.repeat(() => this.link()), this.repeat(() => this.report()));
    this.work.push(this.repeat(() => this.enter()));
    return this;
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.work);
  }

  private async repeat(step: () => Promise<void>): Promise<void> {
    while (this.running) await step();
  }

  /** A transaction, with a player of its own each time. */
  private async link(): Promise<void> {
    const { account } = await insertPlayer(this.url);
    const connect_id = unique('id');
    if (await this.post('/api/bind_account', { account, connect_id })) this.linked.push(connect_id);
  }

  private async report(): Promise<void> {
    const chat_id = unique('c');
    const record = { server_id: this.zone, chat_id, content: 'hello' };
    if (await this.post('/api/report/chat', record)) this.reported.push(chat_id);
  }

  private async enter(): Promise<void> {
    const entered = await this.post('/api/enter_game', { server_id: this.zone }, this.token);
    if (entered) this.entered++;
  }

  private async post(path: string, body: object, token?: string): Promise<boolean> {
    const { status, body: answer } = await this.client.post(path, body, { token });
    this.statuses.push({ status, error: answer.error as string | undefined, path });
    return status === 200;
  }

  /** What was answered 200 and is not there. */
  async lost(): Promise<{ links: string[]; reports: string[]; entries: number }> {
    const have = async (column: string, table: string, values: string[]) => {
      if (values.length === 0) return new Set<unknown>();
      const sql = `SELECT ${column} AS value FROM ${table} WHERE ${column} IN (?)`;
      return new Set((await query(this.url, sql, [values])).map(({ value }) => value as unknown));
    };
    const links = await have('connect_id', 'player_connect_threeparty', this.linked);
    const reports = await have('chat_id', 'chat', this.reported);
    const [row] = await query(this.url, 'SELECT enter_count AS n FROM player WHERE id = ?', [
      this.player.id,
    ]);
    return {
      links: this.linked.filter((id) => !links.has(id)),
      reports: this.reported.filter((id) => !reports.has(id)),
      entries: Math.max(0, this.entered - Number(row!.n)),
    };
  }
}
