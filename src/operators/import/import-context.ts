import type { GameNames } from './game-names.js';
import type { ImportMap } from './import-map.js';
import type { OldDatabase } from './old-database.js';
import type { OldPlayer, OldRowOptions } from './old-player.js';
import type { OldPlayers } from './old-players.js';
import { type Finding, formatKey, type ImportReport } from './import-report.js';
import type { ImportTarget } from './import-target.js';

/** What every part of a move-over works with. */
export interface ImportContext {
  readonly map: ImportMap;
  readonly old: OldDatabase;
  readonly players: OldPlayers;
  readonly oldRowOptions: OldRowOptions;
  readonly target: ImportTarget;
  readonly game: GameNames;
  readonly report: ImportReport;
  /** What the old table is called now: another name once it was moved aside. */
  readonly tableOf: (name: string) => string;
}

export function reportFinding(
  { report, players }: ImportContext,
  { key, name }: Pick<OldPlayer, 'key' | 'name'>,
  finding: Omit<Finding, 'key' | 'account'>,
): void {
  report.add({ ...finding, key: formatKey(key, players.numericKey), account: name });
}
