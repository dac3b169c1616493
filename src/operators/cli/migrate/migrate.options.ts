import type { Command } from 'commander';

const NOTES = `
The command first prints each statement, its effect on the table, the estimated rows, and whether the previous release
can keep working. It is safe to run the command again after an interruption, and on several machines at once.

--check exits with 0 if the schema is up to date, else with 1.

The embedded database is copied to the folder backups of DATA_DIR first. The newest five copies are kept.`;

export function registerMigrate(program: Command): void {
  program
    .command('migrate')
    .description('brings the schema up to date without starting the service')
    .option('--check', 'print what would be done, and change nothing')
    .option(
      '--stop-the-world',
      'also run migrations that instances of the previous release do not support; stop these instances first',
    )
    .addHelpText('after', NOTES)
    .action(async (options: { check?: boolean; stopTheWorld?: boolean }) => {
      const { runMigrate } = await import('./migrate.command.js');
      process.exitCode = await runMigrate(options);
    });
}
