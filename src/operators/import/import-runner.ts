import { CommandFailed } from '../cli/command.js';
import type { Environment } from '../../platform/config/environment.js';
import { readSettings } from '../../platform/config/settings.js';
import { migrate } from '../../platform/database/migrate.js';
import { InPlaceTables } from './in-place-tables.js';
import { ImportCheck } from './import-check.js';
import { readAccepted } from './accepted-lines.js';
import { GameNames } from './game-names.js';
import type { ImportArguments } from './import-arguments.js';
import { OldDatabase } from './old-database.js';
import { OldPlayers } from './old-players.js';
import { readImportMap } from './parse-import-map.js';
import { PlayerImporter } from './player-importer.js';
import { formatDuration, formatNumber } from './progress.js';
import { ImportReport } from './import-report.js';
import type { ImportContext } from './import-context.js';
import { reportAllFindings } from './import-findings.js';
import { ImportPlan } from './import-plan.js';
import { readPending } from './imported-players.js';
import { type Reference, readBans, requireOldTables } from './related-tables.js';
import { RelatedTablesImporter } from './related-tables-importer.js';
import { ImportTarget } from './import-target.js';

/** The three steps of an import. Each prints its result and returns the exit code. */
export class ImportRunner {
  constructor(
    private readonly environment: Environment,
    private readonly options: ImportArguments,
  ) {}

  check(): Promise<number> {
    return this.withContext('check', async (session, lostBans) => {
      const { PASSWORD_KEY } = this.environment;
      const totals = await new ImportCheck(session, lostBans, PASSWORD_KEY).run();
      const { players, banned, withMailbox, withRoles: known } = totals;
      console.log(
        `${formatNumber(players)} players, ${formatNumber(withMailbox)} with a mailbox, ${formatNumber(banned)} banned`,
      );
      console.log(
        session.game.databases.length > 0
          ? `${formatNumber(known)} have roles in ${session.game.databases.length} game databases`
          : 'GAME_DATABASE_URL is not set, or has no game databases: spellings in the game are not known',
      );
      const others = Object.entries(totals.commonOther).map(
        ([form, n]) => `${formatNumber(n)} ${form}`,
      );
      console.log(
        `hashes of common passwords: ${[`${formatNumber(totals.commonKeyed)} with the key`, ...others].join(', ')}`,
      );
      this.printReport(session.report, 'There is no trouble.');
      return 0;
    });
  }

  run(): Promise<number> {
    return this.withContext('run', async (session, lostBans) => {
      // Only once everything can be read: a mistyped name must change nothing.
      const done = await migrate(this.environment);
      if (done.length > 0) console.log(`${done.length} migrations of the account database`);
      await this.requireSameSource(session);
      const begun = performance.now();
      const side = new RelatedTablesImporter(session);
      const promoters = await side.copy('agent');
      const servers = await side.copy('server');
      const { manager } = session.target.dataSource;
      const plan = await ImportPlan.make(session, manager, () =>
        readPending(session, () => undefined),
      );
      const counts = await new PlayerImporter(session, plan).run();
      const bans = await side.bans(lostBans);
      const links = await side.links();
      const seconds = (performance.now() - begun) / 1000;
      console.log(
        `${formatNumber(counts.imported)} players moved, ${formatNumber(counts.updated)} brought up to date, ${formatNumber(counts.unchanged)} as they were, in ${formatDuration(seconds)}` +
          ` (${formatNumber(Math.round((counts.imported + counts.updated + counts.unchanged) / Math.max(seconds, 0.001)))}/s)`,
      );
      console.log(
        `${formatNumber(links)} links, ${formatNumber(bans)} bans changed, ${promoters} promoters, ${servers} servers`,
      );
      if (counts.gone > 0)
        console.log(
          `${formatNumber(counts.gone)} who were moved before are gone from the old table; they stay here`,
        );
      await session.target.setState('finished', new Date().toISOString());
      await reportAllFindings(session);
      this.printReport(session.report, 'There was no trouble.');
      return 0;
    });
  }

  verify(): Promise<number> {
    return this.withContext('verify', async (session) => {
      if (!(await session.target.isMigrated()))
        throw new CommandFailed('the account database is not migrated: --run first');
      // Nest is needed only here, and takes longer to load than everything else.
      const { verifyImport } = await import('./verifier.js');
      const accepted = readAccepted(this.options.accept);
      const proof = await verifyImport(session, this.environment, accepted);
      this.printReport(session.report, undefined);
      const { players, verified: proven, accepted: agreed, lost, listed } = proof;
      if (listed > 0)
        console.log(
          `${formatNumber(listed)} of the lost are in run.csv with their reason: look at each, and confirm them with --accept run.csv`,
        );
      console.log(
        `${formatNumber(players)} players, ${formatNumber(proven)} proven, ${formatNumber(agreed)} accepted, ${formatNumber(lost)} lost`,
      );
      return lost > 0 || players === 0 ? 1 : 0;
    });
  }

  private printReport(report: ImportReport, otherwise: string | undefined): void {
    const table = report.close();
    if (table) console.log(`\n${table}\n\nEach of them: ${report.path}`);
    else if (otherwise) console.log(otherwise);
  }

  /** A second source would look like changes of the first. */
  private async requireSameSource({ old, players, target }: ImportContext): Promise<void> {
    const source = `${old.name}.${players.table}`;
    const before = await target.getState('source');
    if (before === undefined) await target.setState('source', source);
    else if (before !== source)
      throw new CommandFailed(`players were moved here from ${before} before, not from ${source}`);
  }

  private async withContext(
    name: string,
    work: (session: ImportContext, lostBans: Reference[]) => Promise<number>,
  ): Promise<number> {
    const map = readImportMap(this.options.map);
    const { values: settings } = readSettings(this.environment.SETTINGS_FILE);
    const target = await ImportTarget.open(this.environment);
    const old = new OldDatabase(this.options.from ?? '');
    try {
      const isInPlace =
        this.options.mode === 'adopt' || this.options.from === this.environment.DATABASE_URL;
      const tableOf = isInPlace
        ? await new InPlaceTables(target).resolveNames()
        : (table: string) => table;
      await requireOldTables(old, map, tableOf);
      const players = await OldPlayers.open(old, map, tableOf(map.players.table));
      const { bans, lost } = await readBans(old, players, map, tableOf);
      const { gameDatabase: gameServers } = this.environment;
      const game = await GameNames.read(gameServers, settings.game_database, map.charset);
      const report = new ImportReport(this.options.report, name);
      const reading = { map, offsets: players.offsets, bans };
      return await work(
        { map, old, players, oldRowOptions: reading, target, game, report, tableOf },
        lost,
      );
    } finally {
      await old.end();
      await target.close();
    }
  }
}
