import { runProgram } from './command/run-program.js';
import { migrateCommand } from './command/migrate.command.js';

/** Another name of `gatehouse migrate`. */
await runProgram(migrateCommand, process.argv.slice(2));
