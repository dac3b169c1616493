import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirstSequencer } from './test/support/run/longest-first-sequencer.js';
import { findMysqld } from './test/support/run/mysqld.js';

const e2e = ['test/**/*.e2e-spec.ts'];
const processes = ['test/processes/*.process-spec.ts', 'test/browser/*.browser-spec.ts'];
/** They measure how soon something happens, or count what happens in a second: a core is theirs alone. */
const alone = [
  'database-hosts',
  'faults',
  'graceful-stop',
  'hung-stop',
  'migrations',
  'nginx',
  'nginx-faults',
  'snapshot-isolation',
  'torture',
  'workers',
].map((name) => `test/processes/${name}.process-spec.ts`);
const afterAllOthers = { maxWorkers: 2, sequence: { groupOrder: 1 } };
const withMariaDb = './test/support/run/mariadb-for-the-run.ts';
const withMySql = './test/support/run/mysql-for-the-run.ts';

const onMySql = [
  { extends: true as const, test: { name: 'mysql', include: e2e, globalSetup: withMySql } },
  {
    extends: true as const,
    test: {
      name: 'mysql-processes',
      // Those whose instances meet the database of the run, and no other server's faults.
      include: [
        'test/processes/{accounts,documented-sql,forum-auth,instances,migrations,import*,withdraw,server-merge}.process-spec.ts',
      ],
      globalSetup: withMySql,
      testTimeout: 120_000,
    },
  },
];

export default defineConfig({
  test: {
    reporters: ['default', './test/support/run/summary-line-reporter.ts'],
    // More than there are cores: half of the time a test waits, for a time limit or another process.
    maxWorkers: availableParallelism() + 2,
    // Loading the service takes longer than most files run, so the files of a worker share what it loaded.
    isolate: false,
    sequence: { sequencer: LongestFirstSequencer },
    setupFiles: './test/support/run/file-teardown.ts',
    // Limits for what hangs, not for what is slow: a busy machine takes ten times as long as an idle one.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One that the machine was too slow for says so and begins again: test/support/run/slow-machine.ts.
    retry: { count: 2, condition: /^too slow$/ },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,{ui,web,desk}/src}/**/*.spec.ts', 'test/unit/*.spec.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'embedded', include: e2e, provide: { database: { kind: 'embedded' } } },
      },
      {
        extends: true,
        test: { name: 'mariadb', include: e2e, globalSetup: withMariaDb },
      },
      // Left out where there is no MySQL server; the closing lines say so.
      ...(findMysqld() ? onMySql : []),
      {
        extends: true,
        test: {
          name: 'processes',
          include: processes,
          exclude: alone,
          globalSetup: withMariaDb,
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes-alone',
          include: alone,
          globalSetup: withMariaDb,
          testTimeout: 120_000,
          ...afterAllOthers,
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: ['test/cluster/*.cluster-spec.ts'],
          globalSetup: withMariaDb,
          exclude: findMysqld() ? [] : ['test/cluster/mysql-*'],
          testTimeout: 180_000,
          hookTimeout: 240_000,
          // Each starts several servers and measures seconds.
          ...afterAllOthers,
        },
      },
    ],
  },
});
