import { runCommand } from './command/run-command.js';
import { migrateCommand } from './command/migrate.command.js';

/** Another name of `gatehouse migrate`. */
await runCommand(migrateCommand, process.argv.slice(2));
