import { type Command, CommanderError } from 'commander';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import { UsageError } from './command.js';

const FLUSH_CHECK_MS = 500;

/** Runs a command and ends the process, whatever connection a server that hangs keeps open. */
export async function runProgram(program: Command, args: string[]): Promise<void> {
  await runArguments(program, args);
  setInterval(exitWhenFlushed, FLUSH_CHECK_MS).unref();
}

/** Exits with 0, with 1 where it could not be done or something is wrong, with 2 where it was not understood. */
export async function runArguments(program: Command, args: string[]): Promise<void> {
  process.exitCode = 0;
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = report(error as Error);
  }
}

function report(error: Error): number {
  // The parser has printed what it found itself; help that was asked for is no error.
  if (error instanceof CommanderError && !(error instanceof UsageError))
    return error.exitCode === 0 ? 0 : 2;
  const problems = error instanceof ConfigurationError ? error.problems : [error.message];
  for (const problem of problems) console.error(problem);
  return error instanceof UsageError ? 2 : 1;
}

function exitWhenFlushed(): void {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
}
