// `gatehouse migrate` of a later version: the built command with one more migration, whose statements are its arguments.
import { createProgram } from '../../../dist/create-program.js';
import { runProgram } from '../../../dist/operators/cli/run-program.js';
import { MIGRATIONS } from '../../../dist/platform/database/migrations/list.js';

const [name, ...statements] = process.argv.slice(2);
MIGRATIONS.push(
  class {
    name = name;

    async up(runner) {
      for (const statement of statements) await runner.query(statement);
    }
  },
);
await runProgram(createProgram(), ['migrate']);
