// This program is a command of a later version, by default `gatehouse migrate`. Its second argument is the change of
// an additional migration, or a list of the changes of several.
import { createProgram } from '../../../dist/create-program.js';
import { runProgram } from '../../../dist/operators/cli/run-program.js';
import { migration } from '../../../dist/platform/database/migrations/dialect.js';
import { MIGRATIONS } from '../../../dist/platform/database/migrations/list.js';

const [name, change, ...args] = process.argv.slice(2);
for (const [index, each] of [JSON.parse(change)].flat().entries())
  MIGRATIONS.push(migration(index === 0 ? name : `Next${4102444800000 + index}`, each));
await runProgram(createProgram(), args.length > 0 ? args : ['migrate']);
