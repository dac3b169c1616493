import { inject } from 'vitest';
import { SECRETS } from '../accounts.js';
import { createDatabase } from '../servers/mariadb.js';

export type Deployment = Awaited<ReturnType<typeof freshDeployment>>;

/** Returns an instance's environment with a new database on the run's database server. */
export async function freshDeployment() {
  const database = inject('database');
  if (database.kind === 'embedded') throw new Error('tests of processes run on MariaDB or MySQL');
  const { url, drop } = await createDatabase(database.rootUrl);
  return { env: { ...SECRETS, DATABASE_URL: url }, url, drop };
}
