import type { Command } from 'commander';
import type { ImportOptions } from './import.command.js';

export function registerImport(program: Command): void {
  program
    .command('import')
    .description("moves the previous generation's players over, and proves it")
    .option('--check', 'what a run would meet and do; changes nothing (the default)')
    .option('--run', 'moves the players over; again: only what is new or changed')
    .option('--verify', 'verifies that every player was imported unchanged')
    .option(
      '--adopt',
      'the old tables are in our own database, under our names: moves them aside, migrates, runs, verifies',
    )
    .option('--undo', 'puts them back')
    .option('--yes', 'with --undo: even if that loses what was changed here since')
    .option('--from <url>', 'the old database: mysql://user:password@host/database')
    .option('--map <file>', 'the old tables and the rules', 'config/import.yaml')
    .option('--report <folder>', 'where the details go, as CSV', './import-report')
    .option(
      '--accept <file>',
      'with --verify: a copy of run.csv with the lines that you agree with',
    )
    .option(
      '--try <account:password>',
      'with --check or --verify: an account whose password you know, which proves PASSWORD_KEY',
    )
    .action(async (options: ImportOptions) => {
      const { runImport } = await import('./import.command.js');
      process.exitCode = await runImport(options);
    });
}
