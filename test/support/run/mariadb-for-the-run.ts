import type { TestProject } from 'vitest/node';
import { installForRun } from './installed-data.js';
import { createOwnDataFolder, startMariaDb } from '../servers/mariadb.js';

declare module 'vitest' {
  /** `inject('database')` returns a test file's database. */
  interface ProvidedContext {
    database: { kind: 'embedded' } | { kind: 'mariadb' | 'mysql'; rootUrl: string };
  }
}

/** Sets up MariaDB for every project that needs it; the first project starts it for all of them. */
export default async function setup(project: TestProject) {
  if (project.getProvidedContext().database) return undefined;

  const uninstall = await installForRun('MARIADB', createOwnDataFolder);
  const mariadb = await startMariaDb();
  const { rootUrl } = mariadb;
  project.vitest.getRootProject().provide('database', { kind: 'mariadb', rootUrl });
  return async () => {
    await mariadb.stop();
    uninstall();
  };
}
