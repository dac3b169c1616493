import { CommanderError } from 'commander';
import { printable, printableJson } from './printable.js';

/** The result of a command: for people, and for `--json`. */
export interface Report {
  text: string;
  data: unknown;
  /** False if something is wrong: the exit code is then 1. */
  ok?: boolean;
}

/** Creates the action of a subcommand: calls a command with the services it needs, and prints its report. */
export type Runner<T> = <Args extends unknown[]>(
  work: (command: T, ...args: Args) => Promise<Report>,
) => (...args: Args) => Promise<void>;

type ReportMethod<T> = {
  [Name in keyof T]: T[Name] extends (...args: never[]) => Promise<Report> ? Name : never;
}[keyof T];

/** Creates the action that calls a method of the command with its arguments and options as they were parsed. */
export function callMethod<T>(run: Runner<T>) {
  return (name: ReportMethod<T>) =>
    run((command, ...args: unknown[]) =>
      (command[name] as (...given: unknown[]) => Promise<Report>).apply(command, args),
    );
}

/** The arguments were wrong; nothing is done. */
export class UsageError extends CommanderError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(2, 'gatehouse.usage', message);
    this.cause = options.cause;
  }
}

/** The arguments are fine, but it cannot be done. */
export class CommandFailed extends Error {}

/** Prints a report, as JSON if requested, and sets the exit code. */
export function printReport({ text, data, ok = true }: Report, json = false): void {
  console.log(json ? printableJson(data) : printable(text));
  process.exitCode = ok ? 0 : 1;
}

/** The last arguments of an action are its options and its command. */
export function wantsJson(args: unknown[]): boolean {
  return (args.at(-2) as { json?: boolean }).json ?? false;
}
