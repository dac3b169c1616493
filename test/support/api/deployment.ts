import { inject } from 'vitest';
import { SECRETS } from '../accounts.js';
import { createDatabase } from '../servers/mariadb.js';

export type Deployment = Awaited<ReturnType<typeof freshDeployment>>;

/** The environment of an instance on a fresh database of the run's server. */
export async function freshDeployment() {
  const database = inject('database');
  if (database.kind === 'embedded') throw new Error('tests of processes run on MariaDB or MySQL');
  const { url, drop } = await createDatabase(database.rootUrl);
  return { env: { ...SECRETS, DATABASE_URL: url }, url, drop };
}
