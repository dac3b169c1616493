import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { findMysqld } from './test/support/mysqld.js';

const e2e = ['test/**/*.e2e-spec.ts'];
const withMariaDb = './test/support/mariadb-for-the-run.ts';
const withMySql = './test/support/mysql-for-the-run.ts';

const onMySql = [
  { extends: true as const, test: { name: 'mysql', include: e2e, globalSetup: withMySql } },
  {
    extends: true as const,
    test: {
      name: 'mysql-fleet',
      // Those whose instances meet the database of the run, and no other server's faults.
      include: ['test/fleet/{accounts,documented-sql,forum-auth,instances,moveover*,withdraw}.fleet-spec.ts'],
      globalSetup: withMySql,
      testTimeout: 120_000,
      maxWorkers: 1,
      sequence: { groupOrder: 3 },
    },
  },
];

export default defineConfig({
  test: {
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    maxWorkers: availableParallelism(),
    // Limits for what hangs, not for what is slow: a busy machine takes ten times as long as an idle one.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.spec.ts', 'web/src/**/*.spec.ts', 'test/unit/*.spec.ts'],
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
          name: 'fleet',
          include: ['test/**/*.fleet-spec.ts'],
          globalSetup: withMariaDb,
          testTimeout: 120_000,
          // They measure how soon a fault is noticed: after all others, and one at a time.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
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
          // One at a time and after all others: each starts several servers and measures seconds.
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
