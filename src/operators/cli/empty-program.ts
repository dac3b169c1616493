import { Command } from 'commander';

/** `gatehouse` without subcommands. They inherit how it ends. */
export function emptyProgram(): Command {
  return new Command('gatehouse')
    .exitOverride()
    .showHelpAfterError('Add --help to see what it takes.');
}
