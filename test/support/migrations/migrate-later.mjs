// This program is `gatehouse migrate` of a later version. Its second argument is the change of an additional
// migration.
import { createProgram } from '../../../dist/create-program.js';
import { runProgram } from '../../../dist/operators/cli/run-program.js';
import { inDialect } from '../../../dist/platform/database/migrations/dialect.js';
import { MIGRATIONS } from '../../../dist/platform/database/migrations/list.js';

const [name, change] = process.argv.slice(2);
MIGRATIONS.push(
  class {
    name = name;

    up(runner) {
      return inDialect(runner, JSON.parse(change));
    }
  },
);
await runProgram(createProgram(), ['migrate']);
