import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProject } from '../servers/gatehouse-process.js';
import { removeFolder, temporaryFolder } from '../servers/temporary-folder.js';
import { type Build, treeUnderTest } from './release-build.js';

/** Copies the tree's build and adds a migration that runs the statement. */
export function spoiledBuild(statement: string): Build & { remove: () => void } {
  const parent = inProject('.cache');
  mkdirSync(parent, { recursive: true });
  // Node finds the tree's packages above the folder.
  const folder = temporaryFolder('spoiled', parent);
  for (const path of ['dist', 'config', 'package.json'])
    cpSync(inProject(path), join(folder, path), { recursive: true, filter: isNeeded });
  writeFileSync(join(folder, 'dist/gatehouse.js'), commandWith(statement));
  const { commit } = treeUnderTest();
  return { name: 'a spoiled build', folder, commit, remove: () => removeFolder(folder) };
}

const isNeeded = (path: string) => !/\.map$|\/bundle$/.test(path);

/** The bundle contains the list of migrations, so this command runs the files from which the bundle is made. */
function commandWith(statement: string): string {
  return `import { createProgram } from './create-program.js';
import { runProgram } from './operators/cli/run-program.js';
import { migration } from './platform/database/migrations/dialect.js';
import { MIGRATIONS } from './platform/database/migrations/list.js';
const mysql = [${JSON.stringify(statement)}];
MIGRATIONS.push(migration('Spoil4102444800000', { mysql, embedded: [] }));
await runProgram(createProgram(), process.argv.slice(2));
`;
}
