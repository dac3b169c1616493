import type { GameNames } from './game-names.js';
import type { ImportMap } from './import-map.js';
import type { OldDatabase } from './old-database.js';
import { formatKey } from './old-key.js';
import type { OldPlayer, OldRowOptions } from './old-player.js';
import type { OldPlayers } from './old-players.js';
import type { ImportReport, Note } from './import-report.js';
import type { ImportTarget } from './import-target.js';

/** The parts that every step of an import needs. */
export interface ImportContext {
  readonly map: ImportMap;
  readonly old: OldDatabase;
  readonly players: OldPlayers;
  readonly oldRowOptions: OldRowOptions;
  readonly target: ImportTarget;
  readonly game: GameNames;
  readonly report: ImportReport;
  /** The current name of the old table, which changes when it is moved aside. */
  readonly tableOf: (name: string) => string;
}

export function reportFinding(
  { report, players }: ImportContext,
  { key, name }: Pick<OldPlayer, 'key' | 'name'>,
  note: Note,
): void {
  report.add({ ...note, key: formatKey(key, players.numericKey), account: name });
}
