import { open } from 'node:fs/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pLimit from 'p-limit';
import { CheckService } from '../../../features/accounts/check.service.js';
import { CredentialsService } from '../../../features/accounts/credentials.service.js';
import { LoginThrottle, UnknownNameBuckets } from '../../../features/accounts/login-throttle.js';
import { Passwords } from '../../../features/accounts/passwords.js';
import { AuthModule } from '../../../platform/auth/auth.module.js';
import type { Environment } from '../../../platform/config/environment.js';
import { CountersModule } from '../../../platform/counters/counters.js';
import { isDatabaseUnavailable } from '../../../platform/database/database-errors.js';
import { retryConflicts } from '../../../platform/database/transaction.js';
import { CommandFailed } from '../../cli/command.js';
import { CommandModule } from '../../cli/command-context.js';
import { commonHashes, type OldPlayer, toOldPlayer } from '../read/old-player-row.js';
import { hexSql, keyList, NO_KEY } from '../read/old-player-reader.js';
import { readLinks } from '../read/related-tables.js';
import { KeyCounter } from '../decide/collation-keys.js';
import type { ImportContext } from '../target/import-context.js';
import { startProgress } from '../target/import-report.js';
import { type Difference, type ImportedAccount, playerDifferences } from './player-differences.js';

/** Provides the service's own token checks, which the verification uses. */
@Module({
  imports: [CountersModule, AuthModule],
  providers: [CheckService, CredentialsService, LoginThrottle, Passwords, UnknownNameBuckets],
})
class VerificationModule {}

const CONCURRENT_CHECKS = 128;
/** The service's own time limits are too short for a verification that keeps the database busy for minutes. */
const PATIENCE_MS = 60_000;
/** Every nth player whose row was already read is also looked up by name. */
const LOOKUP_EVERY_NTH = 20;

/** Verifies that every old player was imported unchanged, or that an operator accepted the changes. */
export async function verifyImport(
  context: ImportContext,
  environment: Environment,
  acceptFile: string | undefined,
) {
  const acceptedLines = await readAcceptedLines(acceptFile);
  const app = await NestFactory.createApplicationContext(
    CommandModule.forRoot(environment, VerificationModule),
    { logger: false, abortOnError: false },
  );
  try {
    const common = commonHashes(environment.PASSWORD_KEY);
    const checks = app.get(CheckService, { strict: false });
    return await new Verifier(context, checks, acceptedLines, common).run();
  } finally {
    await app.close();
  }
}

class Verifier {
  private readonly result = {
    players: 0,
    /** Counts lost players whose differences the run listed. */
    listed: 0,
    /** Counts hashes of common passwords, which show that the key is right. */
    commonHashes: 0,
  };
  private aliases: ReadonlySet<string> = new Set();
  /** Maps a player's old key to the identities in the old database. */
  private readonly links = new Map<string, string[]>();

  constructor(
    private readonly context: ImportContext,
    private readonly checks: CheckService,
    private readonly acceptedLines: KeyCounter,
    private readonly common: ReadonlyMap<string, string>,
  ) {}

  async run() {
    const { players, target } = this.context;
    const advance = startProgress('proving', (await players.count()).total);
    for await (const batch of readLinks(this.context, players))
      for (const { key, connectId } of batch)
        if (key !== undefined) this.links.set(key, (this.links.get(key) ?? []).concat(connectId));
    const aliases = await target.query<{ name: string }>('SELECT name FROM player_alias');
    this.aliases = new Set(aliases.map(({ name }) => name));
    for await (const { rows } of players.readChunks([{ after: NO_KEY }])) {
      await this.verifyChunk(rows.map((row) => toOldPlayer(row, this.context)));
      advance(rows.length);
    }
    return this.result;
  }

  private async verifyChunk(chunk: OldPlayer[]): Promise<void> {
    const findingsByKey = await this.findFindings(chunk);
    const arrived = await this.findImported(chunk);
    const eventsById = await this.findEvents([...arrived.values()]);
    const verify = async (old: OldPlayer, here?: ImportedAccount, isRowEnough = false) => {
      const findings = findingsByKey.get(old.key) ?? new Set();
      // A closed account has no data left to compare.
      if (here?.closedAt) return this.count(old, [], findings);
      // The old service had no second factors.
      const found = { ...here!, account: old.account, hasSecondFactor: 0 };
      const check = async () =>
        isRowEnough
          ? this.checks.checkStoredHash(found, old.password)
          : this.checks.check(old.name, old.password);
      const answer = await retryConflicts(check, isDatabaseUnavailable, PATIENCE_MS).catch(
        (error: Error) => error,
      );
      if (answer instanceof Error && isDatabaseUnavailable(answer)) throw answer;
      const links = this.links.get(old.key) ?? [];
      const events = eventsById.get(here?.playerId ?? 0) ?? new Set();
      const evidence = { context: this.context, answer, links, events, findings };
      const differences = playerDifferences(old, here, evidence);
      if (findings.has('closed'))
        differences.push({ text: 'closed by on_name_collision', listedAs: ['closed'] });
      this.count(old, differences, findings);
    };
    const limit = pLimit(CONCURRENT_CHECKS);
    const checks = chunk.map((old, at) => {
      const here = arrived.get(old.key);
      // A lookup by name would often only find the row that was already read.
      const isNamed = here?.account === old.account && !this.aliases.has(old.account);
      const isRowEnough = isNamed && at % LOOKUP_EVERY_NTH > 0;
      return isRowEnough ? verify(old, here, true) : limit(verify, old, here);
    });
    await Promise.all(checks);
  }

  /** Counts a player as accepted only if the run listed every difference and an operator confirmed each line. */
  private count(old: OldPlayer, all: Difference[], findings: ReadonlySet<string>): void {
    const { result, context } = this;
    result.players++;
    if (this.common.has(old.password)) result.commonHashes++;
    const differences = all.filter(({ isExplained }) => !isExplained);
    const id = context.players.formatKey(old.key);
    const isListedIn = (has: (kind: string) => boolean) =>
      differences.every(({ listedAs = [] }) => listedAs.some(has));
    const isListed = isListedIn((kind) => findings.has(kind));
    const isAccepted =
      isListed && isListedIn((kind) => this.acceptedLines.count(`${kind},${id}`) > 0);
    if (all.length === 0) return;
    const isProven = differences.length === 0;
    if (!isProven && isListed && !isAccepted) result.listed++;
    context.report.add({
      key: old.key,
      name: old.name,
      class: isProven ? 'changed here' : isAccepted ? 'accepted' : 'lost',
      detail: (isProven ? all : differences).map(({ text }) => text).join('; '),
      rule: isProven ? 'an event explains it' : isListed ? 'listed in run.csv' : '–',
    });
  }

  private async findFindings(chunk: OldPlayer[]): Promise<Map<string, Set<string>>> {
    const rows = await this.context.target.query<{ oldKey: string; class: string }>(
      `SELECT ${hexSql('old_key')} AS oldKey, class FROM import_finding WHERE old_key IN (${keyList(chunk)})`,
    );
    return groupInto(rows.map(({ oldKey, class: kind }) => [oldKey, kind]));
  }

  /** Reads what players and operators did here. */
  private async findEvents(arrived: ImportedAccount[]): Promise<Map<number, Set<string>>> {
    const ids = arrived.flatMap(({ playerId }) => playerId ?? []);
    if (ids.length === 0) return new Map();
    const [list, subjects] = [ids.join(', '), ids.map((id) => `'player ${id}'`).join(', ')];
    const rows = await this.context.target.query<{ who: number | string; what: string }>(
      `SELECT player_id AS who, what FROM player_change WHERE player_id IN (${list})
        UNION SELECT player_id, 'sign-in' FROM login_event WHERE player_id IN (${list}) AND outcome = 'ok'
        UNION SELECT SUBSTR(subject, 8), act FROM audit_event WHERE subject IN (${subjects})`,
    );
    return groupInto(rows.map(({ who, what }) => [Number(who), what]));
  }

  private async findImported(chunk: OldPlayer[]): Promise<Map<string, ImportedAccount>> {
    const now = this.context.target.literal(new Date());
    const rows = await this.context.target.query<ImportedAccount & { oldKey: string }>(
      `SELECT ${hexSql('m.old_key')} AS oldKey, m.player_id AS playerId, m.password_sum AS passwordSum,
              m.email_sum AS emailSum, m.link_sum AS linkSum, l.connect_id AS connectId, p.imported, p.account, p.password, p.email,
              p.game_account AS gameAccount, p.disabled_at AS disabledAt, p.closed_at AS closedAt,
              COUNT(b.id) AS bans, MAX(b.until) AS bannedUntil
         FROM import_player m LEFT JOIN player p ON p.id = m.player_id
         LEFT JOIN player_connect_threeparty l ON l.player_id = p.id AND l.provider = '${this.context.map.links?.provider ?? ''}'
         LEFT JOIN player_ban b ON b.player_id = p.id AND b.created_by = 'import' AND b.lifted_at IS NULL
          AND (b.until IS NULL OR b.until > ${now})
        WHERE m.old_key IN (${keyList(chunk)}) GROUP BY m.old_key, l.connect_id`,
    );
    return new Map(rows.map((row) => [row.oldKey, row]));
  }
}

function groupInto<Key>(pairs: Array<[Key, string]>): Map<Key, Set<string>> {
  const groups = new Map<Key, Set<string>>();
  for (const [key, value] of pairs)
    if (!groups.get(key)?.add(value)) groups.set(key, new Set([value]));
  return groups;
}

/** Returns `class,old_id` for each line that an operator left in a copy of run.csv. */
async function readAcceptedLines(file: string | undefined): Promise<KeyCounter> {
  const accepted = new KeyCounter();
  if (file === undefined) return accepted;
  try {
    for await (const line of (await open(file)).readLines()) {
      const [kind = '', id = ''] = line.replace(/^\uFEFF/, '').split(',', 2);
      // The CSV file has an apostrophe before negative ids, so that spreadsheets do not read them as formulas.
      accepted.add(`${kind},${id.replace(/^'/, '')}`);
    }
    return accepted;
  } catch (error) {
    throw new CommandFailed(
      `--accept ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}
