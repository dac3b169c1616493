import { parseArgs } from 'node:util';
import { UsageError } from './command.js';

/** Every act has these; `--json` is for all commands. */
export const ACTION_OPTIONS = ['by', 'note'] as const;
const FLAGS = ['yes', 'json'] as const;

export interface Arguments {
  positionals: string[];
  options: Partial<Record<string, string>>;
  yes: boolean;
  json: boolean;
}

/** Takes `--name value` for each of `names`, and `--yes` and `--json`. All others are refused. */
export function parseArguments(args: string[], names: readonly string[]): Arguments {
  const options = Object.fromEntries([
    ...names.map((name) => [name, { type: 'string' as const }]),
    ...FLAGS.map((name) => [name, { type: 'boolean' as const }]),
  ]);
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
    const { yes, json, ...texts } = values as Record<string, string | boolean | undefined>;
    return {
      positionals: positionals,
      options: texts as Arguments['options'],
      yes: yes === true,
      json: json === true,
    };
  } catch (error) {
    // Node goes on about arguments that begin with a dash.
    throw new UsageError((error as Error).message.replace(/\. To specify .*/s, ''));
  }
}

/** Who acts, and why: nothing is done without. */
export function requireAttribution({ options }: Arguments): { by: string; note: string } {
  const [by, note] = [options.by?.trim(), options.note?.trim()];
  if (!by || !note) throw new UsageError('--by and --note are needed');
  return { by, note };
}

export function parseLimit({ options }: Arguments, byDefault: number): number {
  const { limit = String(byDefault) } = options;
  if (!/^[1-9]\d{0,4}$/.test(limit)) throw new UsageError('--limit is a number up to 99999');
  return Number(limit);
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `--since`: `30m`, `2h`, `1d` ago, or a time in UTC such as `2026-11-15` or `2026-11-15 02:14`. */
export function parseSince({ options }: Arguments, byDefault?: string): Date | undefined {
  const since = options.since ?? byDefault;
  if (since === undefined) return undefined;
  const [, number, unit] = /^(\d{1,5})([mhd])$/.exec(since) ?? [];
  if (number) return new Date(Date.now() - Number(number) * UNITS[unit as keyof typeof UNITS]);
  const isTime = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?$/.test(since);
  const time = new Date(since.length > 10 ? `${since.replace(' ', 'T')}Z` : since);
  if (!isTime || Number.isNaN(time.getTime()))
    throw new UsageError(
      '--since is a span such as 30m, 2h or 1d, or a time such as "2026-11-15 02:14" (UTC)',
    );
  return time;
}

export function parsePositiveInt(text: string | undefined, what: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text ?? '')) throw new UsageError(`"${text ?? ''}" is no ${what}`);
  return Number(text);
}
