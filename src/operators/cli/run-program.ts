import { Command, CommanderError } from 'commander';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import { UsageError } from './command.js';
import { printable } from './terminal.js';

const FLUSH_CHECK_MS = 500;

/** Creates the root command. Subcommands inherit its error handling. */
export function emptyProgram(): Command {
  return new Command('gatehouse').exitOverride().showHelpAfterError('Run with --help for usage.');
}

/** Runs a command and then exits, even if a hanging server keeps a connection open. */
export async function runProgram(program: Command, args: string[]): Promise<void> {
  await runArguments(program, args);
  setInterval(exitWhenFlushed, FLUSH_CHECK_MS).unref();
}

/** Sets the exit code to 1 if the command failed or found a problem, and to 2 if the arguments were wrong. */
export async function runArguments(program: Command, args: string[]): Promise<void> {
  process.exitCode = 0;
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = report(error as Error);
  }
}

function report(error: Error): number {
  // Commander has already printed its own errors, and requested help is not an error.
  if (error instanceof CommanderError && !(error instanceof UsageError))
    return error.exitCode === 0 ? 0 : 2;
  const problems = error instanceof ConfigurationError ? error.problems : [error.message];
  for (const problem of problems) console.error(printable(problem));
  return error instanceof UsageError ? 2 : 1;
}

function exitWhenFlushed(): void {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
}
