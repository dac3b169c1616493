import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { installForRun } from './installed-data.js';
import { createOwnDataFolder, startMariaDb } from '../servers/mariadb.js';

declare module 'vitest' {
  interface ProvidedContext {
    database: { kind: 'embedded' } | { kind: 'mariadb' | 'mysql'; rootUrl: string };
  }
}

/** Which database a test file runs on: `inject('database')`. */
export type DatabaseOfTheRun = ProvidedContext['database'];

/** Global setup of every project that needs MariaDB: the first one starts it, for all of them. */
export default async function setup(project: TestProject) {
  if (project.getProvidedContext().database) return undefined;

  const uninstall = await installForRun('MARIADB', createOwnDataFolder);
  const mariadb = await startMariaDb();
  const database: DatabaseOfTheRun = { kind: 'mariadb', rootUrl: mariadb.rootUrl };
  project.vitest.getRootProject().provide('database', database);
  return async () => {
    await mariadb.stop();
    uninstall();
  };
}
