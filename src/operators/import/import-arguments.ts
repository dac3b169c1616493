import { UsageError } from '../cli/command.js';
import { databaseUrlProblems } from '../../platform/config/database-url.js';

const MODES = ['check', 'run', 'verify', 'adopt', 'undo'] as const;
type Mode = (typeof MODES)[number];

/** As the parser returns them. */
export type ImportOptions = Partial<Record<Mode | 'yes', boolean>> &
  Partial<Record<'from' | 'accept', string>> &
  Record<'map' | 'report', string>;

export interface ImportArguments {
  mode: Mode;
  /** Undefined with --adopt and --undo: our own database. */
  from?: string;
  map: string;
  report: string;
  /** With --verify: the confirmed lines of run.csv. */
  accept?: string;
  yes: boolean;
}

export function toImportArguments(values: ImportOptions): ImportArguments {
  const modes = MODES.filter((mode) => values[mode]);
  if (modes.length > 1) throw new UsageError(`--${modes.join(' and --')}: one at a time`);
  const [mode = 'check'] = modes;
  const { from } = values;
  const same = mode === 'adopt' || mode === 'undo';
  if (same && from !== undefined)
    throw new UsageError(`--${mode} is for old tables in our own database, without --from`);
  if (!same && from === undefined) throw new UsageError('--from is missing');
  const problems = from === undefined ? [] : databaseUrlProblems(from);
  if (problems.length > 0) throw new UsageError(`--from ${problems.join('; ')}`);
  const { map, report, accept, yes = false } = values;
  if (accept !== undefined && mode !== 'verify') throw new UsageError('--accept needs --verify');
  return { mode, from, map, report, accept, yes };
}
