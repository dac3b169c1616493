import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ProjectSequencer } from './test/support/run/project-sequencer.js';

const withMariaDb = './test/support/run/mariadb-for-the-run.ts';
const withMySql = './test/support/run/mysql-for-the-run.ts';
const onEmbedded = { provide: { database: { kind: 'embedded' } } };
const onEveryDatabase = 'test/api/database/**/*.e2e-spec.ts';

// `npm test` runs the first five projects, and `npm run test:full` the others (scripts/test-programs.mjs).
export default defineConfig({
  test: {
    // There are more workers than cores, because tests wait half of the time for other processes.
    maxWorkers: availableParallelism() + 2,
    // Loading the service takes longer than running most files, so the files of a worker share its modules.
    isolate: false,
    setupFiles: './test/support/run/file-teardown.ts',
    sequence: { sequencer: ProjectSequencer },
    // These limits only end tests that hang; a busy machine takes ten times as long as an idle one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      project('unit', ['{src,{ui,web,desk}/src}/**/*.spec.ts', 'test/unit/*.spec.ts']),
      project('embedded', ['test/api/**/*.e2e-spec.ts'], onEmbedded),
      project('processes', ['test/processes/*.process-spec.ts'], onEmbedded),
      project('mariadb', [onEveryDatabase], { globalSetup: withMariaDb }),
      project('browser', ['test/browser/*.browser-spec.ts']),
      project('mysql', [onEveryDatabase, 'test/{fleet,import}/database/*-spec.ts'], {
        globalSetup: withMySql,
      }),
      project('browser-details', ['test/browser/details/*.browser-spec.ts']),
      project('import', ['test/import/**/*.import-spec.ts'], { globalSetup: withMariaDb }),
      project('fleet', ['test/fleet/**/*.fleet-spec.ts'], { globalSetup: withMariaDb }),
      project('examples', ['test/examples/*.spec.ts'], onEmbedded),
      // This project takes as long as all of these together, and mostly waits.
      project('images', ['test/images/*.images-spec.ts']),
      // Each of these starts several servers, or all workers of a run of its own.
      project('cluster', ['test/cluster/*.cluster-spec.ts'], {
        exclude: ['test/cluster/mysql-*'],
        globalSetup: withMariaDb,
        ...inGroup(1),
      }),
      project('mysql-cluster', ['test/cluster/mysql-*.cluster-spec.ts'], inGroup(1)),
      // The tests of clusters mostly wait, so these run beside them.
      project('node-versions', ['test/node-versions/*.spec.ts'], inGroup(1)),
    ],
  },
});

function project(name: string, include: string[], options: object = {}) {
  return { extends: true as const, test: { name, include, ...options } };
}

/** Vitest finishes one group before it begins the next. */
function inGroup(groupOrder: number) {
  return { maxWorkers: 2, sequence: { groupOrder } };
}
