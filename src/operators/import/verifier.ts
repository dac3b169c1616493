import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pLimit from 'p-limit';
import type { CheckView } from '../../features/accounts/account.view.js';
import { CheckService } from '../../features/accounts/check.service.js';
import { trimAccountName } from '../../platform/auth/account-name.js';
import { AccountDisabled } from '../../platform/auth/auth.errors.js';
import type { Environment } from '../../platform/config/environment.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { LinkNotFound } from '../../features/links/links.errors.js';
import { LinksService } from '../../features/links/links.service.js';
import { CommandModule } from '../cli/command.module.js';
import { ImportModule } from './import.module.js';
import { decodeText } from './old-text.js';
import { type OldPlayer, toOldPlayer } from './old-player.js';
import { formatKey, hexSql, NO_KEY } from './old-key.js';
import { Progress } from './progress.js';
import { type ImportedAccount, type Problem, verificationProblems } from './verification.js';
import { type ImportContext, reportFinding } from './import-context.js';
import { readReferences } from './related-tables.js';

const ROWS = 5000;
const CONCURRENT_CHECKS = 128;
/** Of the players whose row was already read, one in this many is also looked up by name. */
const LOOKUP_EVERY_NTH = 20;

export interface VerificationResult {
  players: number;
  verified: number;
  /** Not proven, for a reason that the run listed and an operator confirmed. */
  accepted: number;
  lost: number;
  /** Those of the lost that the run listed. */
  listed: number;
}

/** Proves that every old player was imported unchanged, with the service's own classes. */
export async function verifyImport(
  session: ImportContext,
  environment: Environment,
  accepted: ReadonlySet<string>,
): Promise<VerificationResult> {
  const app = await NestFactory.createApplicationContext(
    CommandModule.forRoot(environment, ImportModule),
    {
      logger: false,
      abortOnError: false,
    },
  );
  try {
    return await new Verifier(session, app, accepted).run();
  } finally {
    await app.close();
  }
}

class Verifier {
  private readonly result: VerificationResult = {
    players: 0,
    verified: 0,
    accepted: 0,
    lost: 0,
    listed: 0,
  };
  private readonly checks: CheckService;
  private readonly links: LinksService;
  private aliases: ReadonlySet<string> = new Set();
  /** Class and key of the run's findings about the chunk. */
  private findings: ReadonlySet<string> = new Set();
  /** By the player's old key. */
  private readonly lostLinks = new Map<string, string>();

  constructor(
    private readonly context: ImportContext,
    app: INestApplicationContext,
    private readonly acceptedLines: ReadonlySet<string>,
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
      this.findings = await this.findFindings(chunk);
      await this.verifyChunk(chunk, await this.findImported(chunk));
      progress.advance(rows.length);
      reached = last;
    }
    return this.result;
  }

  private async verifyChunk(
    chunk: OldPlayer[],
    arrived: Map<string, ImportedAccount>,
  ): Promise<void> {
    const lookups: Array<[OldPlayer, ImportedAccount | undefined]> = [];
    for (const [at, old] of chunk.entries()) {
      const here = arrived.get(old.key);
      // Its owner closed it here.
      if (here?.closedAt) this.countClosed();
      else if (here && at % LOOKUP_EVERY_NTH > 0 && this.isPlain(old, here))
        this.evaluate(old, here, this.checkToken(here, old.password));
      else lookups.push([old, here]);
    }
    await pLimit(CONCURRENT_CHECKS).map(lookups, async ([old, here]) => {
      const answer = this.checks.check(old.name, old.password);
      this.evaluate(old, here, await answer.catch((error: Error) => error));
    });
  }

  /** Found by exactly the name, which is unique and not an alias: a look-up would return the same row. */
  private isPlain({ name }: OldPlayer, { account }: ImportedAccount): boolean {
    return account === trimAccountName(name) && !this.aliases.has(trimAccountName(name));
  }

  private checkToken(here: ImportedAccount, token: string): CheckView | Error {
    try {
      // Nobody came with a second factor.
      const found = { ...here, account: here.account ?? '', hasSecondFactor: 0 };
      return this.checks.checkStoredHash(found, token);
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
    if (this.findings.has(`closed ${old.key}`))
      problems.push({ text: 'closed by on_name_collision', listedAs: 'closed' });
    const link = this.lostLinks.get(old.key);
    if (link !== undefined) problems.push({ text: link, listedAs: 'link lost' });
    this.count(old, problems);
  }

  private countClosed(): void {
    this.result.players++;
    this.result.verified++;
  }

  private count(old: OldPlayer, problems: Problem[]): void {
    this.result.players++;
    if (problems.length > 0) return this.countProblems(old, problems);
    this.result.verified++;
  }

  /** Accepted only if the run listed every problem, and an operator confirmed the line. */
  private countProblems(old: OldPlayer, problems: Problem[]): void {
    const id = formatKey(old.key, this.context.players.numericKey);
    const isListed = problems.every(({ listedAs }) => this.findings.has(`${listedAs} ${old.key}`));
    const isAccepted =
      isListed && problems.every(({ listedAs }) => this.acceptedLines.has(`${listedAs},${id}`));
    if (isAccepted) this.result.accepted++;
    else this.result.lost++;
    if (isListed && !isAccepted) this.result.listed++;
    reportFinding(this.context, old, {
      class: isAccepted ? 'accepted' : 'lost',
      detail: problems.map(({ text }) => text).join('; '),
      rule: isListed ? 'listed in run.csv' : '–',
    });
  }

  private async findFindings(chunk: OldPlayer[]): Promise<Set<string>> {
    const keys = chunk.map(({ key }) => `x'${key}'`);
    const rows = await this.context.target.query<{ oldKey: string; class: string }>(
      `SELECT ${hexSql('old_key')} AS oldKey, class FROM import_finding WHERE old_key IN (${keys.join(', ')})`,
    );
    return new Set(rows.map(({ oldKey, class: kind }) => `${kind} ${oldKey}`));
  }

  private async findImported(chunk: OldPlayer[]): Promise<Map<string, ImportedAccount>> {
    const keys = chunk.map(({ key }) => `x'${key}'`);
    const which = this.context.players.numericKey
      ? `m.old_key BETWEEN ${keys[0]} AND ${keys.at(-1)}`
      : `m.old_key IN (${keys.join(', ')})`;
    const now = this.context.target.literal(new Date());
    const rows = await this.context.target.query<ImportedAccount & { oldKey: string }>(
      `SELECT ${hexSql('m.old_key')} AS oldKey, m.player_id AS playerId, m.password_sum AS passwordSum,
              m.email_sum AS emailSum, p.account, p.password, p.email,
              p.game_account AS gameAccount, p.disabled_at AS disabledAt, p.closed_at AS closedAt,
              COUNT(b.id) AS bans, MAX(b.until) AS bannedUntil
         FROM import_player m LEFT JOIN player p ON p.id = m.player_id
         LEFT JOIN player_ban b ON b.player_id = p.id AND b.created_by = 'import' AND b.lifted_at IS NULL
          AND (b.until IS NULL OR b.until > ${now})
        WHERE ${which} GROUP BY m.old_key`,
    );
    return new Map(rows.map((row) => [row.oldKey, row]));
  }

  /** Old links that are missing now, by their player. A link that another account kept by a rule is not missing. */
  private async readLostLinks(): Promise<void> {
    const { old, players, map, tableOf } = this.context;
    if (!map.links) return;
    const { connect_id, provider } = map.links;
    for await (const batch of readReferences(old, players, tableOf, map.links, [connect_id])) {
      await pLimit(CONCURRENT_CHECKS).map(batch, async ({ key, values: [value] }) => {
        const connectId = (value && decodeText(value, map.charset)?.text) ?? '';
        if (key && !(await this.linkResolves(provider, connectId, key)))
          this.lostLinks.set(key, `the link ${connectId} is gone`);
      });
    }
  }

  private async linkResolves(provider: string, connectId: string, key: string): Promise<boolean> {
    try {
      await this.links.getPlayer({ provider, connectId });
      return true;
    } catch (error) {
      if (error instanceof AccountDisabled) return true;
      if (!(error instanceof LinkNotFound)) throw error;
    }
    const [moved] = await this.context.target.query<{ id: number | null }>(
      `SELECT player_id AS id FROM import_player WHERE old_key = x'${key}'`,
    );
    return Boolean(moved?.id) && (await this.links.findByPlayer(moved!.id!)).length > 0;
  }
}
