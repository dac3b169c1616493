import { createProgram } from './create-program.js';
import { runProgram } from './operators/cli/run-program.js';

await runProgram(createProgram(), process.argv.slice(2));
