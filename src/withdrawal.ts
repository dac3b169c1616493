import { runCommand } from './command/run-command.js';
import { withdrawalCommand } from './withdraw/command/withdrawal.command.js';

/** Another name of `gatehouse withdrawal`. */
await runCommand(withdrawalCommand, process.argv.slice(2));
