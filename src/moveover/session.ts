import type { GameNames } from './game-names.js';
import type { MoveoverMap } from './moveover-map.js';
import type { OldDatabase } from './old-database.js';
import type { OldPlayer, Reading } from './old-player.js';
import type { OldPlayers } from './old-players.js';
import { type Finding, readableKey, type Report } from './report.js';
import type { Target } from './target.js';

/** What every part of a move-over works with. */
export interface Session {
  readonly map: MoveoverMap;
  readonly old: OldDatabase;
  readonly players: OldPlayers;
  readonly reading: Reading;
  readonly target: Target;
  readonly game: GameNames;
  readonly report: Report;
  /** What the old table is called now: another name once it was moved aside. */
  readonly tableOf: (name: string) => string;
}

export function tell(
  { report, players }: Session,
  { key, name }: Pick<OldPlayer, 'key' | 'name'>,
  finding: Omit<Finding, 'key' | 'account'>,
): void {
  report.add({ ...finding, key: readableKey(key, players.numericKey), account: name });
}
