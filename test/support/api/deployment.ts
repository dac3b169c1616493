import { inject } from 'vitest';
import { createDatabase } from '../servers/mariadb.js';

export const SECRETS = {
  PASSWORD_KEY: 'key-of-the-previous-generation',
  JWT_SECRET: 'a-secret-for-tokens-that-is-long-enough',
  GM_SECRET: 'a-secret-for-gm-commands',
};

export type Deployment = Awaited<ReturnType<typeof freshDeployment>>;

/** The environment of an instance on a fresh database of the run's server. */
export async function freshDeployment() {
  const database = inject('database');
  if (database.kind === 'embedded') throw new Error('tests of processes run on MariaDB or MySQL');
  const { url, drop } = await createDatabase(database.rootUrl);
  return { env: { ...SECRETS, DATABASE_URL: url }, url, drop };
}
