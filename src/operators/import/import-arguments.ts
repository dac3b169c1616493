import { parseArgs } from 'node:util';
import { UsageError } from '../cli/command.js';
import { databaseUrlProblems } from '../../platform/config/database-url.js';

export const USAGE = `gatehouse import --from mysql://user:password@host/database --map config/import.yaml
  --check    what a run would meet and do; changes nothing (the default)
  --run      moves the players over; again: only what is new or changed
  --verify   proves of every player that he is here as he was
  --adopt    the old tables are in our own database, under our names: moves them aside, migrates, runs, verifies
  --undo     puts them back; --yes where somebody has registered here since

  --map FILE       the old tables and the rules (config/import.yaml)
  --report FOLDER  where the details go, as CSV (./import-report)
  --sample N --url http://127.0.0.1:3001   with --verify: shows N tokens to a running instance, too`;

export const OPTIONS = [
  'check',
  'run',
  'verify',
  'adopt',
  'undo',
  'from',
  'map',
  'report',
  'sample',
  'url',
];

const MODES = ['check', 'run', 'verify', 'adopt', 'undo'] as const;
type Mode = (typeof MODES)[number];

export interface ImportArguments {
  mode: Mode;
  /** Undefined with --adopt and --undo: our own database. */
  from?: string;
  map: string;
  report: string;
  sample: number;
  url?: string;
  yes: boolean;
}

export function parseImportArguments(args: string[]): ImportArguments {
  const values = parseOptions(args);
  const modes = MODES.filter((mode) => values[mode]);
  if (modes.length > 1) throw new UsageError(`--${modes.join(' and --')}: one at a time`);
  const [mode = 'check'] = modes;
  const { from, url } = values;
  const same = mode === 'adopt' || mode === 'undo';
  if (same && from !== undefined)
    throw new UsageError(`--${mode} is for old tables in our own database, without --from`);
  if (!same && from === undefined) throw new UsageError('--from is missing');
  const problems = from === undefined ? [] : databaseUrlProblems(from);
  if (problems.length > 0) throw new UsageError(`--from ${problems.join('; ')}`);
  const sample = Number(values.sample ?? (url ? 100 : 0));
  if (!Number.isInteger(sample) || sample < 0) throw new UsageError('--sample must be a number');
  if (sample > 0 && !url) throw new UsageError('--sample needs --url');
  if (url !== undefined && !URL.canParse(url)) throw new UsageError('--url must be a URL');
  const { map, report, yes = false } = values;
  return {
    mode,
    from,
    map: map ?? 'config/import.yaml',
    report: report ?? './import-report',
    sample,
    url,
    yes,
  };
}

function parseOptions(args: string[]) {
  const flag = { type: 'boolean' } as const;
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      options: {
        check: flag,
        run: flag,
        verify: flag,
        adopt: flag,
        undo: flag,
        yes: flag,
        from: text,
        map: text,
        report: text,
        sample: text,
        url: text,
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
