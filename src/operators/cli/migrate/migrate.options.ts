import type { Command } from 'commander';

const NOTES = `
Safe to run again after an interruption. --check exits with 0 if the schema is up to date, else with 1.`;

export function registerMigrate(program: Command): void {
  program
    .command('migrate')
    .description('brings the schema up to date without starting the service')
    .option('--check', 'print the statements that would be run, and change nothing')
    .addHelpText('after', NOTES)
    .action(async (options: { check?: boolean }) => {
      const { runMigrate } = await import('./migrate.command.js');
      process.exitCode = await runMigrate(options);
    });
}
