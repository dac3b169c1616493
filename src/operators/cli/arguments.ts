import { type Command, InvalidArgumentError } from 'commander';

/** The options of a subcommand that only reads. */
export interface QueryOptions {
  json?: boolean;
}

/** The options of every subcommand that changes something. */
export interface ActionOptions extends QueryOptions {
  by: string;
  note: string;
  yes?: boolean;
}

export interface ListOptions extends QueryOptions {
  limit: number;
  before?: number;
}

export function addQuery(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'print JSON');
}

/** A subcommand that requires the operator's name and a reason. */
export function addAction(parent: Command, name: string, description: string): Command {
  return addQuery(parent, name, description)
    .requiredOption('--by <name>', 'your name', parseText)
    .requiredOption('--note <text>', 'why', parseText)
    .option('--yes', 'do not ask');
}

/** A subcommand that lists the newest entries, 50 at a time. */
export function addList(parent: Command, name: string, description: string): Command {
  return addQuery(parent, name, description)
    .option('--limit <number>', 'how many', parseLimit, 50)
    .option('--before <id>', 'only older ones than this', parseId);
}

export function parseText(text: string): string {
  if (!text.trim()) throw new InvalidArgumentError('Must not be empty.');
  return text.trim();
}

export function parseId(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError(`"${text}" is not an id.`);
  return Number(text);
}

export function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('Must be a number up to 99999.');
  return Number(text);
}

/** Times on a terminal are UTC. */
export function parseTimeOr<Word extends string>(word: Word): (text: string) => Date | Word {
  return (text) => {
    if (text === word) return word;
    const isTime = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/.test(text);
    const time = new Date(`${text.replace(' ', 'T')}Z`);
    if (!isTime || Number.isNaN(time.getTime()))
      throw new InvalidArgumentError(`Must be ${word} or a time such as "2026-12-01 10:00" (UTC).`);
    return time;
  };
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30m`, `2h`, `1d` ago, or a time in UTC such as `2026-11-15` or `2026-11-15 02:14`. */
export function parseSince(text: string): Date {
  return parseMoment(text, -1);
}

/** The same in the future, or `forever`. */
export function parseUntil(text: string): Date | 'forever' {
  return text === 'forever' ? text : parseMoment(text, 1);
}

function parseMoment(text: string, direction: 1 | -1): Date {
  const [, number, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const span = Number(number) * UNITS[unit as keyof typeof UNITS];
  if (number) return new Date(Date.now() + direction * span);
  const isTime = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?$/.test(text);
  const time = new Date(text.length > 10 ? `${text.replace(' ', 'T')}Z` : text);
  if (!isTime || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError(
      'Must be a span such as 30m, 2h or 1d, or a time such as "2026-11-15 02:14" (UTC).',
    );
  return time;
}
