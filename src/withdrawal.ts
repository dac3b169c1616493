import { runProgram } from './command/run-program.js';
import { withdrawalCommand } from './withdraw/command/withdrawal.command.js';

/** Another name of `gatehouse withdrawal`. */
await runProgram(withdrawalCommand, process.argv.slice(2));
