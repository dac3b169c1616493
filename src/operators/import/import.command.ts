import { dirname, join } from 'node:path';
import { encode, encodingExists } from 'iconv-lite';
import { databaseUrlProblems } from '../../platform/config/database-url.js';
import type { Environment } from '../../platform/config/environment.js';
import { loadConfiguration } from '../../platform/config/load-configuration.js';
import { migrate } from '../../platform/database/migrate.js';
import { CommandFailed, UsageError } from '../cli/command.js';
import { terminalTable } from '../cli/terminal.js';
import { KeyCounter } from './decide/collation-keys.js';
import { findObstacle, ImportPlan } from './decide/import-plan.js';
import { LinkDecisions } from './decide/link-decisions.js';
import { charsetOf } from './read/import-map.js';
import { commonHashes, hashForms, toOldPlayer } from './read/old-player-row.js';
import { foldName } from './read/old-values.js';
import { readRelatedRows } from './read/related-tables.js';
import { type ImportContext, withImportContext } from './target/import-context.js';
import { ownerlessNameFindings, reportAllFindings } from './target/import-findings.js';
import { formatDuration, formatNumber, startProgress } from './target/import-report.js';
import { ImportTarget } from './target/import-target.js';
import { findChanged, readPending } from './target/imported-players.js';
import { InPlaceTables } from './target/in-place-tables.js';
import { PlayerImporter } from './write/player-importer.js';
import { PlayerUpdater } from './write/player-updater.js';
import { RelatedTablesImporter } from './write/related-tables-importer.js';

const MODES = ['check', 'run', 'verify', 'adopt', 'undo'] as const;
const TRY =
  'no hash of a known password was found; add --try account:password of an account whose password you know';
/** Names the findings whose counts decide whether to go live. Each has one line per player. */
const SUMMARY = {
  moved: ['moved'],
  accepted: ['accepted'],
  lost: ['lost'],
  'no way in': ['no way in'],
  'changed here': ['changed here', 'password changed here since', 'mailbox changed here since'],
  'to be told': ['renamed: must be told'],
};
type Mode = (typeof MODES)[number];

export type ImportOptions = Partial<Record<Mode | 'yes', boolean>> &
  Partial<Record<'from' | 'accept' | 'try', string>> &
  Record<'map' | 'report', string>;

export async function runImport(options: ImportOptions): Promise<number> {
  const mode = requireValidOptions(options);
  return new ImportCommand(loadConfiguration(), options)[mode]();
}

function requireValidOptions(options: ImportOptions): Mode {
  const { from, accept, try: known } = options;
  const modes = MODES.filter((mode) => options[mode]);
  if (modes.length > 1) throw new UsageError(`--${modes.join(' and --')}: one at a time`);
  const [mode = 'check'] = modes;
  const isInPlace = mode === 'adopt' || mode === 'undo';
  if (isInPlace && from !== undefined)
    throw new UsageError(`--${mode} is for old tables in our own database, without --from`);
  if (!isInPlace && from === undefined) throw new UsageError('--from is missing');
  const problems = from === undefined ? [] : databaseUrlProblems(from);
  if (problems.length > 0) throw new UsageError(`--from ${problems.join('; ')}`);
  if (known !== undefined && (!known.includes(':') || !['check', 'verify'].includes(mode)))
    throw new UsageError('--try needs account:password, and --check or --verify');
  if (accept !== undefined && mode !== 'verify') throw new UsageError('--accept needs --verify');
  return mode;
}

export class ImportCommand {
  constructor(
    private readonly environment: Environment,
    private readonly options: ImportOptions,
  ) {}

  check(): Promise<number> {
    return withImportContext('check', this.environment, this.options, async (context) => {
      const { game } = context;
      await this.tryPassword(context);
      const { players, banned, withMailbox, withRoles, forms } = await checkImport(
        context,
        this.environment.PASSWORD_KEY,
      );
      console.log(
        `${formatNumber(players)} players, ${formatNumber(withMailbox)} with a mailbox, ${formatNumber(banned)} banned`,
      );
      console.log(
        game.databases.length > 0
          ? `${formatNumber(withRoles)} have roles in ${game.databases.length} game databases`
          : 'GAME_DATABASE_URL is not set, or has no game databases: spellings in the game are not known',
      );
      const { keyed = 0, ...others } = Object.fromEntries(forms);
      const hashes = Object.entries({ 'with the key': keyed, ...others }).map(
        ([form, count]) => `${formatNumber(count)} ${form}`,
      );
      console.log(`hashes of common passwords: ${hashes.join(', ')}`);
      if (forms.size === 0 && this.options.try === undefined)
        console.log(`PASSWORD_KEY may be wrong: ${TRY}`);
      await printReport(context, 'No problems found.');
      return 0;
    });
  }

  run(): Promise<number> {
    return withImportContext('run', this.environment, this.options, async (context) => {
      const { target } = context;
      // The migration runs after all tables were found, because a typo in the map must not change the database.
      const done = await migrate(this.environment);
      if (done.length > 0) console.log(`${done.length} migrations of the account database`);
      await requireSameSource(context);
      const begun = performance.now();
      const related = new RelatedTablesImporter(context);
      const promoters = await related.copy('agent');
      const servers = await related.copy('server');
      const changed = await findChanged(context);
      const updated = await new PlayerUpdater(context).run(changed.ranges);
      const plan = await ImportPlan.make(context, target.dataSource.manager, () =>
        readPending(context, changed.ranges),
      );
      const { imported, unchanged, gone } = await new PlayerImporter(context, plan).run(changed);
      const bans = await related.bans();
      const links = await related.links();
      await related.reserveNames();
      const seconds = (performance.now() - begun) / 1000;
      const perSecond = Math.round((imported + unchanged) / Math.max(seconds, 0.001));
      console.log(
        `${formatNumber(imported)} players moved, ${formatNumber(updated)} brought up to date, ${formatNumber(unchanged - updated)} as they were, in ${formatDuration(seconds)} (${formatNumber(perSecond)}/s)`,
      );
      console.log(
        `${formatNumber(links)} links, ${formatNumber(bans)} bans changed, ${promoters} promoters, ${servers} servers`,
      );
      if (gone > 0)
        console.log(
          `${formatNumber(gone)} who were moved before are gone from the old table; they stay here`,
        );
      await target.setState('finished', new Date().toISOString());
      await reportAllFindings(context);
      await printReport(context, 'No problems found.');
      return 0;
    });
  }

  verify(): Promise<number> {
    return withImportContext('verify', this.environment, this.options, async (context) => {
      if (!(await context.target.isMigrated()))
        throw new CommandFailed('the account database is not migrated: --run first');
      const form = await this.tryPassword(context);
      if (form !== undefined) await context.target.setState('hash_form', form);
      // Only this step loads Nest, which takes longer to load than everything else.
      const { verifyImport } = await import('./verify/verify-import.js');
      const result = await verifyImport(context, this.environment, this.options.accept);
      const { players, listed } = result;
      const accepted = context.report.linesIn('accepted');
      const lost = context.report.linesIn('lost');
      await printReport(context);
      if (listed > 0)
        console.log(
          `${formatNumber(listed)} of the lost are in run.csv with their reason: look at each, and confirm them with --accept run.csv`,
        );
      console.log(
        `${formatNumber(players)} players, ${formatNumber(players - accepted - lost)} proven, ${formatNumber(accepted)} accepted, ${formatNumber(lost)} lost`,
      );
      if (result.commonHashes > 0) await context.target.setState('hash_form', 'common passwords');
      const isConfirmed = (await context.target.getState('hash_form')) !== undefined;
      if (!isConfirmed) console.log(`nothing is proven while PASSWORD_KEY may be wrong: ${TRY}`);
      return lost > 0 || players === 0 || !isConfirmed ? 1 : 0;
    });
  }

  async adopt(): Promise<number> {
    await this.withInPlaceTables(async (tables) => {
      const sql = await tables.moveAside();
      console.log(sql ?? 'the old tables were moved aside before');
    });
    await migrate(this.environment);
    const from = this.environment.DATABASE_URL;
    const command = new ImportCommand(this.environment, { ...this.options, from });
    return (await command.run()) || command.verify();
  }

  async undo(): Promise<number> {
    await this.withInPlaceTables(async (tables) => {
      const lines = await tables.listNewRows();
      if (lines.length > 0 && !this.options.yes)
        throw new CommandFailed(
          ['this would be lost, add --yes if it may be:', ...lines].join('\n  '),
        );
      console.log(await tables.restore());
    });
    return 0;
  }

  /** Returns how the old service hashed the password of `--try`. Throws if the stored hash does not match. */
  private async tryPassword(context: ImportContext): Promise<string | undefined> {
    const { try: known } = this.options;
    if (known === undefined) return undefined;
    const { players, map } = context;
    const [account = '', password] = [known.split(':', 1)[0], known.slice(known.indexOf(':') + 1)];
    const { table, columns } = map.players;
    const charset = charsetOf(map, table, columns.account);
    const player = encodingExists(charset) ? encode(account, charset) : Buffer.from(account);
    const [reference] = await players.resolve([{ player }], 'account');
    const [row] = await players.readByKeys(reference?.key === undefined ? [] : [reference.key]);
    if (!row) throw new CommandFailed(`the old table has no account ${account}`);
    const stored = toOldPlayer(row, context).password;
    const form = hashForms(password, this.environment.PASSWORD_KEY).get(stored);
    if (form === undefined)
      throw new CommandFailed(
        `the hash of ${account} is of another password, or of another PASSWORD_KEY`,
      );
    console.log(`the hash of ${account} is ${form}`);
    return form;
  }

  private async withInPlaceTables(work: (tables: InPlaceTables) => Promise<void>): Promise<void> {
    if (this.environment.embedded)
      throw new CommandFailed('DATABASE_URL is not set: the embedded database has no old tables');
    const target = await ImportTarget.open(this.environment);
    try {
      await work(new InPlaceTables(target));
    } finally {
      await target.close();
    }
  }
}

/** Reports what a run would do, and changes nothing. */
async function checkImport(context: ImportContext, key: string) {
  const { players, target, game, report } = context;
  const totals = { players: 0, banned: 0, withMailbox: 0, withRoles: 0 };
  /** Counts hashes of common passwords by hash format. */
  const forms = new Map<string, number>();
  const common = commonHashes(key);
  const skipped = new Set<string>();
  const names = new KeyCounter();
  const { total } = await players.count();
  const { ranges, unchanged } = await findChanged(context);
  const read = (label: string) => () =>
    readPending(context, ranges, startProgress(label, total - unchanged));
  const plan = await ImportPlan.make(context, target.dataSource.manager, read('comparing'));
  for await (const chunk of read('deciding')())
    for (const old of chunk) {
      totals.players++;
      if (old.ban) totals.banned++;
      if (old.email !== null) totals.withMailbox++;
      if (game.spellingsOf(old.name).length > 0) totals.withRoles++;
      const form = common.get(old.password);
      if (form !== undefined) forms.set(form, (forms.get(form) ?? 0) + 1);
      const obstacle = findObstacle(context, old);
      if (obstacle) skipped.add(old.key);
      else names.add(foldName(old.name));
      for (const finding of obstacle ? [obstacle] : plan.decide(old).findings) report.add(finding);
    }
  const findings = [
    ...(await readRelatedRows(context, 'agent')).findings,
    ...(await readRelatedRows(context, 'server')).findings,
    ...context.banFindings,
    ...(await ownerlessNameFindings(context, (name) => names.count(name) > 0)),
  ];
  const links = new LinkDecisions(context, (each) => skipped.has(each));
  for await (const batch of links.read()) findings.push(...batch.findings);
  for (const finding of findings) report.add(finding);
  return { ...totals, forms };
}

/** Throws if the source is not the first run's, because another source's players would look like changes. */
async function requireSameSource({ old, players, target }: ImportContext): Promise<void> {
  const source = `${old.name}.${players.table}`;
  const before = await target.getState('source');
  if (before === undefined) await target.setState('source', source);
  else if (before !== source)
    throw new CommandFailed(`players were moved here from ${before} before, not from ${source}`);
}

/** Prints every class of finding, and then the counts that decide whether to go live. */
async function printReport({ target, report }: ImportContext, otherwise?: string): Promise<void> {
  const table = report.close();
  if (table) console.log(`\n${table}\n\nEach of them: ${report.path}`);
  const counts = (await target.isMigrated())
    ? await target.query<{ kind: string; players: number | string }>(
        `SELECT class AS kind, COUNT(DISTINCT old_key) AS players FROM import_finding GROUP BY class
          UNION ALL SELECT 'moved', COUNT(player_id) FROM import_player`,
      )
    : [];
  const stored = new Map(counts.map(({ kind, players }) => [kind, Number(players)]));
  const rows = Object.entries(SUMMARY).map(([what, classes]) => {
    const here = classes.reduce((sum, kind) => sum + report.linesIn(kind), 0);
    const players = here || classes.reduce((sum, kind) => sum + (stored.get(kind) ?? 0), 0);
    const file = here > 0 ? report.path : join(dirname(report.path), 'run.csv');
    // Only `--verify`, which passes no `otherwise`, knows how many players are accepted or lost.
    const isUnknown = otherwise !== undefined && ['accepted', 'lost'].includes(what);
    const count = isUnknown ? null : formatNumber(players);
    return [what, count, players > 0 && what !== 'moved' ? file : ''];
  });
  console.log(`\n${terminalTable(['', 'players', 'file'], rows)}\n`);
  if (!table && otherwise) console.log(otherwise);
}
