import type { DataSource } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { createDataSource, patientDataSourceOptions } from './data-source.js';
import { underFileLock } from './file-lock.js';

// Locks are the server's, not the database's: the name says whose migrations it is about.
const LOCK = "CONCAT('gatehouse_', MD5(DATABASE()))";
const LOCK_SECONDS = 600;

/** Brings the schema up to date and names what was done. Instances that start together wait for each other. */
export function migrate(environment: Environment): Promise<string[]> {
  return environment.embedded
    ? underFileLock(environment.DATA_DIR, LOCK_SECONDS, () => runMigrations(environment))
    : runMigrations(environment);
}

async function runMigrations(environment: Environment): Promise<string[]> {
  const dataSource = createDataSource(patientDataSourceOptions(environment));
  await dataSource.initialize();
  try {
    return await underServerLock(dataSource, async () => {
      const done = await dataSource.runMigrations({ transaction: 'each' });
      return done.map(({ name }) => name);
    });
  } finally {
    await dataSource.destroy();
  }
}

async function underServerLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  if (dataSource.options.type !== 'mariadb') return work();
  const holder = dataSource.createQueryRunner();
  try {
    const [row] = (await holder.query(`SELECT GET_LOCK(${LOCK}, ?) AS got`, [LOCK_SECONDS])) as [
      { got: unknown },
    ];
    if (Number(row.got) !== 1)
      throw new Error('Another instance has held the migration lock too long');
    return await work();
  } finally {
    await holder.query(`SELECT RELEASE_LOCK(${LOCK})`);
    await holder.release();
  }
}
