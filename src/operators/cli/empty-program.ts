import { Command } from 'commander';

/** Subcommands inherit its error handling. */
export function emptyProgram(): Command {
  return new Command('gatehouse').exitOverride().showHelpAfterError('Run with --help for usage.');
}
