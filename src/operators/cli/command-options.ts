import type { INestApplicationContext, Type } from '@nestjs/common';
import { type Command, InvalidArgumentError } from 'commander';
import type { Report } from './command.js';
import { printable, printableJson } from './terminal.js';

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?) ?(Z|[+-]\d\d:\d\d)?$/;
export const TIME_EXAMPLE = '"2026-12-01 10:00" (UTC) or "2026-12-01 18:00 +08:00"';

export interface QueryOptions {
  json?: boolean;
}

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

/** Adds a subcommand that requires the operator's name and a reason. */
export function addAction(parent: Command, name: string, description: string): Command {
  return addQuery(parent, name, description)
    .requiredOption('--by <name>', 'your name', parseText)
    .requiredOption('--note <text>', 'why', parseText)
    .option('--yes', 'do not ask');
}

/** Adds a subcommand that lists the newest entries, by default 50. */
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

export function parseTimeOr<Word extends string>(word: Word): (text: string) => Date | Word {
  return (text) => (text === word ? word : parseTime(text, `${word} or `));
}

export function parseTime(text: string, orWord = ''): Date {
  const time = readTime(text);
  if (!time) throw new InvalidArgumentError(`Must be ${orWord}a time such as ${TIME_EXAMPLE}.`);
  return time;
}

/** Reads a time, which is UTC unless it ends with an offset. Returns undefined for any other text. */
export function readTime(text: string): Date | undefined {
  const [, day, clock, offset = 'Z'] = TIME.exec(text) ?? [];
  const time = new Date(`${day}T${clock}${offset}`);
  return isDay(day) && !Number.isNaN(time.getTime()) ? time : undefined;
}

/** Returns whether the calendar has the day. `Date` reads the 30th of February as a day in March. */
export function isDay(text = ''): boolean {
  const day = new Date(`${text}T00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString() === `${text}T00:00:00.000Z`;
}

/** Parses a time, a day, or a time span that ends now, such as `30m`, `2h` or `1d`. */
export function parseSince(text: string): Date {
  return parseMoment(text, -1);
}

/** Parses a time, a day, a time span that begins now, or `forever`. */
export function parseUntil(text: string): Date | 'forever' {
  return text === 'forever' ? text : parseMoment(text, 1);
}

function parseMoment(text: string, direction: 1 | -1): Date {
  const [, number, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const span = Number(number) * UNITS[unit as keyof typeof UNITS];
  if (number) return new Date(Date.now() + direction * span);
  const time = readTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text} 00:00` : text);
  if (!time)
    throw new InvalidArgumentError(
      `Must be a span such as 30m, 2h or 1d, or a time such as ${TIME_EXAMPLE}.`,
    );
  return time;
}

/** Creates a subcommand's action, which calls a command and prints its report. */
export type Runner<T> = <Args extends unknown[]>(
  work: (command: T, ...args: Args) => Promise<Report>,
) => (...args: Args) => Promise<void>;

interface CommandParts<T> {
  module: Type;
  handler: Type<T>;
  prepare?: (app: INestApplicationContext) => Promise<void>;
}

/** Creates actions that load the command and Nest only when they run, because `--help` needs neither. */
export function inCommandContext<T>(load: () => Promise<CommandParts<T>>): Runner<T> {
  return (work) =>
    async (...args) => {
      const { withCommandContext } = await import('./command-context.js');
      const { module, handler, prepare } = await load();
      await withCommandContext(module, async (app) => {
        await prepare?.(app);
        printReport(await work(app.get(handler), ...args), wantsJson(args));
      });
    };
}

type ReportMethod<T> = {
  [Name in keyof T]: T[Name] extends (...args: never[]) => Promise<Report> ? Name : never;
}[keyof T];

/** Creates an action that calls a method of the command with the parsed arguments and options. */
export function callMethod<T>(run: Runner<T>) {
  return (name: ReportMethod<T>) =>
    run((command, ...args: unknown[]) =>
      (command[name] as (...given: unknown[]) => Promise<Report>).apply(command, args),
    );
}

export function printReport({ text, data, ok = true }: Report, json = false): void {
  console.log(json ? printableJson(data) : printable(text));
  process.exitCode = ok ? 0 : 1;
}

/** Reads the option from the second-to-last argument, because Commander passes options before the command. */
export function wantsJson(args: unknown[]): boolean {
  return (args.at(-2) as QueryOptions).json ?? false;
}
