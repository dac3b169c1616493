import { CommanderError } from 'commander';

/** What a command found or did: for people, and for `--json`. */
export interface Report {
  text: string;
  data: unknown;
  /** False where something is wrong: the exit code is 1 then. */
  ok?: boolean;
}

/** Makes the action of a subcommand: calls a command with the services that it needs, and prints its report. */
export type Runner<T> = <Args extends unknown[]>(
  work: (command: T, ...args: Args) => Promise<Report>,
) => (...args: Args) => Promise<void>;

/** The arguments were not understood, and nothing is done. */
export class UsageError extends CommanderError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(2, 'gatehouse.usage', message);
    this.cause = options.cause;
  }
}

/** Understood, but it cannot be done. */
export class CommandFailed extends Error {}

/** Prints a report, as JSON where that was asked for, and sets the exit code. */
export function printReport({ text, data, ok = true }: Report, json = false): void {
  console.log(json ? JSON.stringify(data, undefined, 2) : text);
  process.exitCode = ok ? 0 : 1;
}

/** The last arguments of an action are its options and its command. */
export function wantsJson(args: unknown[]): boolean {
  return (args.at(-2) as { json?: boolean }).json ?? false;
}
