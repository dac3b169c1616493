import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CheckView } from '../accounts/account.view.js';
import { CheckService } from '../accounts/check.service.js';
import { aliasKeys, typedName } from '../auth/account-name.js';
import { AccountDisabled } from '../auth/auth.errors.js';
import type { Environment } from '../config/environment.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { LinkNotFound } from '../links/links.errors.js';
import { LinksService } from '../links/links.service.js';
import { MoveoverModule } from './moveover.module.js';
import { InParallel } from './in-parallel.js';
import { decodeText } from './old-text.js';
import { NO_PASSWORD, type OldPlayer, toOldPlayer } from './old-player.js';
import { NO_KEY } from './old-players.js';
import { Progress } from './progress.js';
import { type Arrived, proofProblems } from './proof.js';
import { type Session, tell } from './session.js';
import { references } from './side-tables.js';

const ROWS = 5000;
const CHECKS_AT_ONCE = 128;
/** Of those whose row is at hand, one in so many is looked up by name as well. */
const LOOKED_UP_EACH = 20;

export interface Proof {
  players: number;
  proven: number;
  lost: number;
  /** Some of those whose token can be shown over HTTP. */
  sample: Array<Pick<OldPlayer, 'name' | 'password' | 'banned'>>;
}

/** Proves of every old player that he is here as he was, with the service's own classes. */
export async function prove(
  session: Session,
  environment: Environment,
  sampleSize: number,
): Promise<Proof> {
  const app = await NestFactory.createApplicationContext(MoveoverModule.forRoot(environment), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await new Verify(session, app, sampleSize).run();
  } finally {
    await app.close();
  }
}

class Verify {
  private readonly proof: Proof = { players: 0, proven: 0, lost: 0, sample: [] };
  private readonly checks: CheckService;
  private readonly links: LinksService;
  private aliases: ReadonlySet<string> = new Set();
  /** By the player's old key. */
  private readonly lostLinks = new Map<string, string>();

  constructor(
    private readonly session: Session,
    app: INestApplicationContext,
    private readonly sampleSize: number,
  ) {
    this.checks = app.get(CheckService, { strict: false });
    this.links = app.get(LinksService, { strict: false });
  }

  async run(): Promise<Proof> {
    const { players, reading } = this.session;
    const progress = new Progress('proving', await players.count());
    await this.readLostLinks();
    const aliases = await this.session.target.query<{ name: string }>(
      'SELECT name FROM player_alias',
    );
    this.aliases = new Set(aliases.map(({ name }) => name));
    for (let reached = NO_KEY; ;) {
      const rows = await players.read(reached, undefined, ROWS);
      const last = rows.at(-1)?.key;
      if (last === undefined) break;
      const chunk = rows.map((row) => toOldPlayer(row, reading));
      await this.prove(chunk, await this.arrived(chunk));
      progress.advance(rows.length);
      reached = last;
    }
    progress.end();
    return this.proof;
  }

  private async prove(chunk: OldPlayer[], arrived: Map<string, Arrived>): Promise<void> {
    const parallel = new InParallel(CHECKS_AT_ONCE);
    for (const [at, old] of chunk.entries()) {
      const here = arrived.get(old.key.toString('hex'));
      if (here && at % LOOKED_UP_EACH > 0 && this.isPlain(old, here))
        this.judge(old, here, this.answerOf(here, old.password));
      else
        await parallel.begin(async () => {
          const answer = this.checks.check(old.name, old.password);
          this.judge(old, here, await answer.catch((error: Error) => error));
        });
    }
    await parallel.end();
  }

  /** Found by exactly his name, which is unique and no alias: looking it up would give the row that is at hand. */
  private isPlain({ name }: OldPlayer, { account }: Arrived): boolean {
    return account === typedName(name) && !aliasKeys(name).some((key) => this.aliases.has(key));
  }

  private answerOf(here: Arrived, token: string): CheckView | Error {
    try {
      return this.checks.judgeHash({ ...here, account: here.account ?? '' }, token);
    } catch (error) {
      return error as Error;
    }
  }

  private judge(old: OldPlayer, here: Arrived | undefined, answer: CheckView | Error): void {
    if (answer instanceof Error && isDatabaseUnavailable(answer)) throw answer;
    const problems = proofProblems(old, here, answer, this.session.game);
    const link = this.lostLinks.get(old.key.toString('hex'));
    if (link !== undefined) problems.push(link);
    this.count(old, problems);
  }

  private count(old: OldPlayer, problems: string[]): void {
    this.proof.players++;
    if (problems.length > 0) {
      this.proof.lost++;
      tell(this.session, old, { class: 'lost', detail: problems.join('; '), rule: '–' });
      return;
    }
    this.proof.proven++;
    const { name, password, banned } = old;
    // Each player is as likely to be in the sample as any other.
    const place =
      this.proof.sample.length < this.sampleSize
        ? this.proof.sample.length
        : Math.floor(Math.random() * this.proof.proven);
    if (password !== NO_PASSWORD && place < this.sampleSize)
      this.proof.sample[place] = { name, password, banned };
  }

  private async arrived(chunk: OldPlayer[]): Promise<Map<string, Arrived>> {
    const keys = chunk.map(({ key }) => `x'${key.toString('hex')}'`);
    const which = this.session.players.numericKey
      ? `m.old_key BETWEEN ${keys[0]} AND ${keys.at(-1)}`
      : `m.old_key IN (${keys.join(', ')})`;
    const rows = await this.session.target.query<Arrived & { oldKey: Uint8Array }>(
      `SELECT m.old_key AS oldKey, m.player_id AS playerId, m.password_sum AS passwordSum,
              m.email_sum AS emailSum, m.banned, p.account, p.password, p.email,
              p.game_account AS gameAccount, p.disabled_at AS disabledAt
         FROM moveover_player m LEFT JOIN player p ON p.id = m.player_id WHERE ${which}`,
    );
    return new Map(rows.map((row) => [Buffer.from(row.oldKey).toString('hex'), row]));
  }

  /** Old links that lead nowhere now, by their player. One that another account kept, by rule, leads there as before. */
  private async readLostLinks(): Promise<void> {
    const { old, players, map, tableOf } = this.session;
    if (!map.links) return;
    const { table, player, connect_id, refers_to, provider } = map.links;
    const columns = [player, connect_id];
    for await (const batch of references(old, players, tableOf(table), columns, refers_to)) {
      const parallel = new InParallel(CHECKS_AT_ONCE);
      for (const { key, value } of batch)
        await parallel.begin(async () => {
          const connectId = (value && decodeText(value, map.charset)?.text) ?? '';
          if (key && !(await this.leadsSomewhere(provider, connectId, key)))
            this.lostLinks.set(key.toString('hex'), `the link ${connectId} is gone`);
        });
      await parallel.end();
    }
  }

  private async leadsSomewhere(provider: string, connectId: string, key: Buffer): Promise<boolean> {
    try {
      await this.links.getPlayer({ provider, connectId });
      return true;
    } catch (error) {
      if (error instanceof AccountDisabled) return true;
      if (!(error instanceof LinkNotFound)) throw error;
    }
    const [moved] = await this.session.target.query<{ id: number | null }>(
      `SELECT player_id AS id FROM moveover_player WHERE old_key = x'${key.toString('hex')}'`,
    );
    return Boolean(moved?.id) && (await this.links.ofPlayer(moved!.id!)).length > 0;
  }
}
