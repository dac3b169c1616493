import type { DataSource } from 'typeorm';

/** Whether every migration that this program knows was done. */
export async function isSchemaCurrent(dataSource: DataSource): Promise<boolean> {
  const done = await dataSource.query<unknown[]>('SELECT name FROM migrations').catch(() => []);
  return done.length >= dataSource.migrations.length;
}
