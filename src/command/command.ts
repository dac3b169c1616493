/** One part of `gatehouse`, such as `gatehouse withdrawal`. */
export interface Command {
  readonly summary: string;
  /** Shown for `--help`, and after arguments that were not understood. */
  readonly usage: string;
  /** Prints its report. Gives the exit code: 0, or 1 where something is wrong. */
  run(args: string[]): Promise<number>;
}

/** The arguments were not understood: the usage is shown, and nothing is done. */
export class UsageError extends Error {}

/** Understood, but it cannot be done. */
export class CommandRefused extends Error {}
