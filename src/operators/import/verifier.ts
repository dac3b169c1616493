import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pLimit from 'p-limit';
import type { CheckView } from '../../features/accounts/account.view.js';
import { CheckService } from '../../features/accounts/check.service.js';
import { aliasKeys, trimAccountName } from '../../platform/auth/account-name.js';
import { AccountDisabled } from '../../platform/auth/auth.errors.js';
import type { Environment } from '../../platform/config/environment.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { LinkNotFound } from '../../features/links/links.errors.js';
import { LinksService } from '../../features/links/links.service.js';
import { ImportModule } from './import.module.js';
import { decodeText } from './old-text.js';
import { NO_PASSWORD, type OldPlayer, toOldPlayer } from './old-player.js';
import { NO_KEY } from './old-players.js';
import { Progress } from './progress.js';
import { type ImportedAccount, verificationProblems } from './verification.js';
import { type ImportContext, reportFinding } from './import-context.js';
import { readReferences } from './related-tables.js';

const ROWS = 5000;
const CONCURRENT_CHECKS = 128;
/** Of those whose row is at hand, one in so many is looked up by name as well. */
const LOOKUP_EVERY_NTH = 20;

export interface VerificationResult {
  players: number;
  verified: number;
  lost: number;
  /** Some of those whose token can be shown over HTTP. */
  sample: Array<Pick<OldPlayer, 'name' | 'password' | 'banned'>>;
}

/** Proves of every old player that he is here as he was, with the service's own classes. */
export async function verifyImport(
  session: ImportContext,
  environment: Environment,
  sampleSize: number,
): Promise<VerificationResult> {
  const app = await NestFactory.createApplicationContext(ImportModule.forRoot(environment), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await new Verifier(session, app, sampleSize).run();
  } finally {
    await app.close();
  }
}

class Verifier {
  private readonly result: VerificationResult = { players: 0, verified: 0, lost: 0, sample: [] };
  private readonly checks: CheckService;
  private readonly links: LinksService;
  private aliases: ReadonlySet<string> = new Set();
  /** By the player's old key. */
  private readonly lostLinks = new Map<string, string>();

  constructor(
    private readonly context: ImportContext,
    app: INestApplicationContext,
    private readonly sampleSize: number,
  ) {
    this.checks = app.get(CheckService, { strict: false });
    this.links = app.get(LinksService, { strict: false });
  }

  async run(): Promise<VerificationResult> {
    const { players, oldRowOptions: reading } = this.context;
    const progress = new Progress('proving', await players.count());
    await this.readLostLinks();
    const aliases = await this.context.target.query<{ name: string }>(
      'SELECT name FROM player_alias',
    );
    this.aliases = new Set(aliases.map(({ name }) => name));
    for (let reached = NO_KEY; ;) {
      const rows = await players.read(reached, undefined, ROWS);
      const last = rows.at(-1)?.key;
      if (last === undefined) break;
      const chunk = rows.map((row) => toOldPlayer(row, reading));
      await this.verifyChunk(chunk, await this.findImported(chunk));
      progress.advance(rows.length);
      reached = last;
    }
    progress.end();
    return this.result;
  }

  private async verifyChunk(
    chunk: OldPlayer[],
    arrived: Map<string, ImportedAccount>,
  ): Promise<void> {
    const lookups: Array<[OldPlayer, ImportedAccount | undefined]> = [];
    for (const [at, old] of chunk.entries()) {
      const here = arrived.get(old.key.toString('hex'));
      if (here && at % LOOKUP_EVERY_NTH > 0 && this.isPlain(old, here))
        this.evaluate(old, here, this.checkToken(here, old.password));
      else lookups.push([old, here]);
    }
    await pLimit(CONCURRENT_CHECKS).map(lookups, async ([old, here]) => {
      const answer = this.checks.check(old.name, old.password);
      this.evaluate(old, here, await answer.catch((error: Error) => error));
    });
  }

  /** Found by exactly his name, which is unique and no alias: looking it up would give the row that is at hand. */
  private isPlain({ name }: OldPlayer, { account }: ImportedAccount): boolean {
    return (
      account === trimAccountName(name) && !aliasKeys(name).some((key) => this.aliases.has(key))
    );
  }

  private checkToken(here: ImportedAccount, token: string): CheckView | Error {
    try {
      return this.checks.checkStoredHash({ ...here, account: here.account ?? '' }, token);
    } catch (error) {
      return error as Error;
    }
  }

  private evaluate(
    old: OldPlayer,
    here: ImportedAccount | undefined,
    answer: CheckView | Error,
  ): void {
    if (answer instanceof Error && isDatabaseUnavailable(answer)) throw answer;
    const problems = verificationProblems(old, here, answer, this.context.game);
    const link = this.lostLinks.get(old.key.toString('hex'));
    if (link !== undefined) problems.push(link);
    this.count(old, problems);
  }

  private count(old: OldPlayer, problems: string[]): void {
    this.result.players++;
    if (problems.length > 0) {
      this.result.lost++;
      reportFinding(this.context, old, { class: 'lost', detail: problems.join('; '), rule: '–' });
      return;
    }
    this.result.verified++;
    const { name, password, banned } = old;
    // Each player is as likely to be in the sample as any other.
    const place =
      this.result.sample.length < this.sampleSize
        ? this.result.sample.length
        : Math.floor(Math.random() * this.result.verified);
    if (password !== NO_PASSWORD && place < this.sampleSize)
      this.result.sample[place] = { name, password, banned };
  }

  private async findImported(chunk: OldPlayer[]): Promise<Map<string, ImportedAccount>> {
    const keys = chunk.map(({ key }) => `x'${key.toString('hex')}'`);
    const which = this.context.players.numericKey
      ? `m.old_key BETWEEN ${keys[0]} AND ${keys.at(-1)}`
      : `m.old_key IN (${keys.join(', ')})`;
    const rows = await this.context.target.query<ImportedAccount & { oldKey: Uint8Array }>(
      `SELECT m.old_key AS oldKey, m.player_id AS playerId, m.password_sum AS passwordSum,
              m.email_sum AS emailSum, m.banned, p.account, p.password, p.email,
              p.game_account AS gameAccount, p.disabled_at AS disabledAt
         FROM import_player m LEFT JOIN player p ON p.id = m.player_id WHERE ${which}`,
    );
    return new Map(rows.map((row) => [Buffer.from(row.oldKey).toString('hex'), row]));
  }

  /** Old links that lead nowhere now, by their player. One that another account kept, by rule, leads there as before. */
  private async readLostLinks(): Promise<void> {
    const { old, players, map, tableOf } = this.context;
    if (!map.links) return;
    const { table, player, connect_id, refers_to, provider } = map.links;
    const columns = [player, connect_id];
    for await (const batch of readReferences(old, players, tableOf(table), columns, refers_to)) {
      await pLimit(CONCURRENT_CHECKS).map(batch, async ({ key, value }) => {
        const connectId = (value && decodeText(value, map.charset)?.text) ?? '';
        if (key && !(await this.linkResolves(provider, connectId, key)))
          this.lostLinks.set(key.toString('hex'), `the link ${connectId} is gone`);
      });
    }
  }

  private async linkResolves(provider: string, connectId: string, key: Buffer): Promise<boolean> {
    try {
      await this.links.getPlayer({ provider, connectId });
      return true;
    } catch (error) {
      if (error instanceof AccountDisabled) return true;
      if (!(error instanceof LinkNotFound)) throw error;
    }
    const [moved] = await this.context.target.query<{ id: number | null }>(
      `SELECT player_id AS id FROM import_player WHERE old_key = x'${key.toString('hex')}'`,
    );
    return Boolean(moved?.id) && (await this.links.findByPlayer(moved!.id!)).length > 0;
  }
}
