/** One part of `gatehouse`, such as `gatehouse withdrawal`. */
export interface Command {
  readonly summary: string;
  /** Shown for `--help`, and after arguments that were not understood. */
  readonly usage: string;
  /** The words that may follow its name, for completion. */
  readonly subcommands?: readonly string[];
  /** The options that it takes, for completion. */
  readonly options?: readonly string[];
  /** Prints its report. Gives the exit code: 0, or 1 where something is wrong. */
  run(args: string[]): Promise<number>;
}

/** What a command found or did: for people, and for `--json`. */
export interface Report {
  text: string;
  data: unknown;
  /** False where something is wrong: the exit code is 1 then. */
  ok?: boolean;
}

/** The arguments were not understood: the usage is shown, and nothing is done. */
export class UsageError extends Error {}

/** Understood, but there is nobody to ask whether it is meant. The exit code is that of a `UsageError`. */
export class ConfirmationRequired extends UsageError {}

/** Understood, but it cannot be done. */
export class CommandFailed extends Error {}

/** Prints a report, as JSON where that was asked for, and gives the exit code. */
export function printReport({ text, data, ok = true }: Report, json: boolean): number {
  console.log(json ? JSON.stringify(data, undefined, 2) : text);
  return ok ? 0 : 1;
}
