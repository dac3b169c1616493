import { CommanderError } from 'commander';

/** Holds a command's output, as text for people and as data for `--json`. */
export interface Report {
  text: string;
  data: unknown;
  /** If this is false, the exit code is 1. */
  ok?: boolean;
}

/** Reports wrong arguments. The command has done nothing yet. */
export class UsageError extends CommanderError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(2, 'gatehouse.usage', message);
    this.cause = options.cause;
  }
}

/** Reports that a command with correct arguments failed. */
export class CommandFailed extends Error {}
