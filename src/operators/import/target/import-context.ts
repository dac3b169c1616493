import type { Environment } from '../../../platform/config/environment.js';
import { readSettings } from '../../../platform/config/settings.js';
import { GameNames } from '../read/game-names.js';
import { charsetOf, readImportMap } from '../read/import-map.js';
import { OldDatabase } from '../read/old-database.js';
import type { Finding, OldRowOptions } from '../read/old-player-row.js';
import { OldPlayerReader } from '../read/old-player-reader.js';
import { type OldTables, readBans, requireOldTables } from '../read/related-tables.js';
import { ImportReport } from './import-report.js';
import { ImportTarget } from './import-target.js';
import { InPlaceTables } from './in-place-tables.js';

export interface ImportContext extends OldTables, OldRowOptions {
  readonly players: OldPlayerReader;
  readonly banFindings: Finding[];
  readonly target: ImportTarget;
  readonly game: GameNames;
  readonly report: ImportReport;
}

/** Opens both databases for one step, and reads what all steps need. */
export async function withImportContext(
  step: 'check' | 'run' | 'verify',
  environment: Environment,
  options: { from?: string; map: string; report: string },
  work: (context: ImportContext) => Promise<number>,
): Promise<number> {
  const map = readImportMap(options.map);
  const { values: settings } = readSettings(environment.SETTINGS_FILE);
  const target = await ImportTarget.open(environment);
  const old = new OldDatabase(options.from ?? '');
  try {
    const tableOf =
      options.from === environment.DATABASE_URL
        ? await new InPlaceTables(target).resolveNames()
        : (table: string) => table;
    const tables = { old, map, tableOf };
    await requireOldTables(tables);
    const players = await OldPlayerReader.open(old, map, tableOf(map.players.table));
    const { bans, findings: banFindings } = await readBans(tables, players);
    const charset = charsetOf(map, map.players.table, map.players.columns.account);
    const game = await GameNames.read(environment.gameDatabase, settings.game_database, charset);
    const report = new ImportReport(options.report, step, players);
    const read = { players, offsets: players.offsets, bans, banFindings, game };
    return await work({ ...tables, ...read, target, report });
  } finally {
    await old.end();
    await target.close();
  }
}
