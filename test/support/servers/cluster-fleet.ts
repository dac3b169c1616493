import { type Answer, Client } from '../api/client.js';
import { md5, PASSWORD, SECRETS, unique } from '../accounts.js';
import { query } from './mariadb.js';
import { type Gatehouse, isReady, spawnGatehouse } from './gatehouse-process.js';

// Each schema change passes through all nodes of a cluster one after the other.
const START_TIMEOUT_MS = 120_000;

/** Starts instances in parallel, each with its own database URL. */
export async function startFleet(
  urls: string[],
  env: Record<string, string>,
): Promise<Gatehouse[]> {
  const fleet = await Promise.all(
    urls.map((url) => spawnGatehouse({ ...SECRETS, ...env, DATABASE_URL: url })),
  );
  await Promise.all(
    fleet.map((one) => one.process.waitUntil(() => isReady(one.url), START_TIMEOUT_MS)),
  );
  return fleet;
}

/** Inserts a player by SQL. */
export async function insertPlayer(url: string): Promise<{ id: number; account: string }> {
  const account = unique('p');
  const sql = 'INSERT INTO player (account, password) VALUES (?, ?)';
  const { insertId } = (await query(url, sql, [account, md5(PASSWORD)])) as unknown as {
    insertId: number;
  };
  return { id: insertId, account };
}

export async function logIn(client: Client, account: string): Promise<string> {
  const answer = await client.post('/api/login', { account, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`login: ${answer.text}`);
  return answer.body.data.token as string;
}

/** Counts the responses by status, such as `{ 200: 60 }`. */
export function countByStatus(answers: Array<Pick<Answer, 'status'>>): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Keeps linking identities, reporting chat and entering servers, and records what got a 200. */
export class Crowd {
  readonly linked: string[] = [];
  readonly reported: string[] = [];
  entered = 0;
  readonly statuses: Array<{ status: number; error?: string; path: string }> = [];
  private running = true;
  private readonly work: Array<Promise<void>> = [];

  private constructor(
    /** The check reads stored rows from this database server, which accepts writes. */
    private readonly url: () => string,
    private readonly client: Client,
    private readonly server: number,
    private readonly player: { id: number; account: string },
    private readonly linker: { id: number; account: string },
    private readonly token: string,
  ) {}

  static async at(client: Client, url: () => string, server: number): Promise<Crowd> {
    const player = await insertPlayer(url());
    const token = await logIn(client, player.account);
    return new Crowd(url, client, server, player, await insertPlayer(url()), token);
  }

  start(count: number): this {
    for (let one = 0; one < count; one++)
      this.work.push(
        this.repeat(() => this.link()),
        this.repeat(() => this.report()),
      );
    this.work.push(this.repeat(() => this.enter()));
    return this;
  }

  get unexpected(): Crowd['statuses'] {
    return this.statuses.filter(({ status }) => status !== 200 && status !== 503);
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.work);
  }

  private async repeat(step: () => Promise<void>): Promise<void> {
    while (this.running) await step();
  }

  /**
   * Links an identity in a transaction. Each link has a new provider because a player has one identity per
   * provider.
   */
  private async link(): Promise<void> {
    const [connect_id, provider] = [unique('id'), unique('by')];
    const link = { account: this.linker.account, connect_id, provider };
    if (await this.post('/api/bind_account', link)) this.linked.push(connect_id);
  }

  private async report(): Promise<void> {
    const chat_id = unique('c');
    const record = { server_id: this.server, chat_id, content: 'hello' };
    if (await this.post('/api/report/chat', record)) this.reported.push(chat_id);
  }

  private async enter(): Promise<void> {
    const entered = await this.post('/api/enter_game', { server_id: this.server }, this.token);
    if (entered) this.entered++;
  }

  private async post(path: string, body: object, token?: string): Promise<boolean> {
    const { status, body: answer } = await this.client.post(path, body, { token });
    this.statuses.push({ status, error: answer.error as string | undefined, path });
    return status === 200;
  }

  /** Returns what got a 200 but is not stored. */
  async lost(): Promise<{ links: string[]; reports: string[]; entries: number }> {
    const have = async (column: string, table: string, values: string[]) => {
      if (values.length === 0) return new Set<unknown>();
      const sql = `SELECT ${column} AS value FROM ${table} WHERE ${column} IN (?)`;
      return new Set((await query(this.url(), sql, [values])).map(({ value }) => value as unknown));
    };
    const links = await have('connect_id', 'player_connect_threeparty', this.linked);
    const reports = await have('chat_id', 'chat', this.reported);
    const [row] = await query(this.url(), 'SELECT enter_count AS n FROM player WHERE id = ?', [
      this.player.id,
    ]);
    return {
      links: this.linked.filter((id) => !links.has(id)),
      reports: this.reported.filter((id) => !reports.has(id)),
      entries: Math.max(0, this.entered - Number(row!.n)),
    };
  }
}
