import { CommandRefused } from '../command/command.js';
import type { Environment } from '../config/environment.js';
import { readSettings } from '../config/settings.js';
import { migrate } from '../database/migrate.js';
import { Adoption } from './adoption.js';
import { Check } from './check.js';
import { GameNames } from './game-names.js';
import type { MoveoverArguments } from './moveover-arguments.js';
import { OldDatabase } from './old-database.js';
import { OldPlayers } from './old-players.js';
import { readMap } from './parse-map.js';
import { PlayersRun } from './players-run.js';
import { duration, grouped } from './progress.js';
import { Report } from './report.js';
import type { Session } from './session.js';
import { type Reference, readBans, requireSideTables } from './side-tables.js';
import { SideRun } from './side-run.js';
import { Target } from './target.js';
import { refusedOverHttp, requireInstance } from './verify-http.js';

/** The three steps of a move-over. Each prints its result and gives the exit code. */
export class Moveover {
  constructor(
    private readonly environment: Environment,
    private readonly given: MoveoverArguments,
  ) {}

  check(): Promise<number> {
    return this.inSession('check', async (session, lostBans) => {
      const { players, banned, withMailbox, known } = await new Check(session, lostBans).run();
      console.log(
        `${grouped(players)} players, ${grouped(withMailbox)} with a mailbox, ${grouped(banned)} banned`,
      );
      console.log(
        session.game.databases.length > 0
          ? `${grouped(known)} have roles in ${session.game.databases.length} zone databases`
          : 'GAME_DATABASE_URL is not set, or has no zone databases: spellings in the game are not known',
      );
      this.close(session.report, 'There is no trouble.');
      return 0;
    });
  }

  run(): Promise<number> {
    return this.inSession('run', async (session) => {
      // Not before everything can be read: whoever mistyped a name has changed nothing.
      const done = await migrate(this.environment);
      if (done.length > 0) console.log(`${done.length} migrations of the account database`);
      await this.requireSameSource(session);
      const begun = performance.now();
      const side = new SideRun(session);
      const { promoters, zones } = await side.promotersAndZones();
      const counts = await new PlayersRun(session).run();
      const bans = await side.bans();
      const links = await side.links();
      const seconds = (performance.now() - begun) / 1000;
      console.log(
        `${grouped(counts.moved)} players moved, ${grouped(counts.updated)} brought up to date, ${grouped(counts.unchanged)} as they were, in ${duration(seconds)}` +
          ` (${grouped(Math.round((counts.moved + counts.updated + counts.unchanged) / Math.max(seconds, 0.001)))}/s)`,
      );
      console.log(
        `${grouped(links)} links, ${grouped(bans)} bans changed, ${promoters} promoters, ${zones} zones`,
      );
      if (counts.gone > 0)
        console.log(
          `${grouped(counts.gone)} who were moved before are gone from the old table; they stay here`,
        );
      this.close(session.report, 'There was no trouble.');
      return 0;
    });
  }

  verify(): Promise<number> {
    return this.inSession('verify', async (session) => {
      if (!(await session.target.isMigrated()))
        throw new CommandRefused('the account database is not migrated: --run first');
      const { sample, url } = this.given;
      if (url) await requireInstance(url);
      // Nest is needed here alone, and takes longer to load than all the rest.
      const { prove } = await import('./verify.js');
      const proof = await prove(session, this.environment, sample);
      const refused = url ? await refusedOverHttp(url, proof.sample) : [];
      if (url) {
        const shown = proof.sample.length;
        console.log(
          `${shown} tokens shown to ${url}, ${shown - refused.length} accepted as before`,
        );
      }
      for (const each of refused) console.log(`refused over HTTP: ${each}`);
      this.close(session.report, undefined);
      const { players, proven, lost } = proof;
      console.log(`${grouped(players)} players, ${grouped(proven)} proven, ${grouped(lost)} lost`);
      return lost + refused.length > 0 || players === 0 ? 1 : 0;
    });
  }

  private close(report: Report, otherwise: string | undefined): void {
    const table = report.close();
    if (table) console.log(`\n${table}\n\nEach of them: ${report.path}`);
    else if (otherwise) console.log(otherwise);
  }

  /** A second source would be taken for changes of the first. */
  private async requireSameSource({ old, players, target }: Session): Promise<void> {
    const source = `${old.name}.${players.table}`;
    const before = await target.recall('source');
    if (before === undefined) await target.remember('source', source);
    else if (before !== source)
      throw new CommandRefused(`players were moved here from ${before} before, not from ${source}`);
  }

  private async inSession(
    name: string,
    work: (session: Session, lostBans: Reference[]) => Promise<number>,
  ): Promise<number> {
    const map = readMap(this.given.map);
    const { values: settings } = readSettings(this.environment.SETTINGS_FILE);
    const target = await Target.open(this.environment);
    const old = new OldDatabase(this.given.from ?? '');
    try {
      const adopts =
        this.given.mode === 'adopt' || this.given.from === this.environment.DATABASE_URL;
      const tableOf = adopts ? await new Adoption(target).names() : (table: string) => table;
      const players = await OldPlayers.open(old, map, tableOf(map.players.table));
      await requireSideTables(old, map, tableOf);
      const { banned, lost } = await readBans(old, players, map, tableOf);
      const { gameServers } = this.environment;
      const game = await GameNames.read(gameServers, settings.game_database, map.charset);
      // Whom a run renamed, no later one tells again.
      const report = new Report(this.given.report, name, name === 'run');
      const reading = { map, offsets: players.offsets, banned };
      return await work({ map, old, players, reading, target, game, report, tableOf }, lost);
    } finally {
      await old.end();
      await target.close();
    }
  }
}
