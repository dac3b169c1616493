import { type DataSource, QueryFailedError } from 'typeorm';

const NOTHING_RECORDED = new Set<unknown>(['ER_NO_SUCH_TABLE', 'ER_BAD_FIELD_ERROR']);

/** Whether the database has every migration that this program knows. A newer database may have more. */
export async function isSchemaCurrent(dataSource: DataSource): Promise<boolean> {
  const pending = await pendingMigrations(dataSource).catch(() => undefined);
  return pending?.length === 0;
}

/** Names of the migrations that the database does not have yet, in order. */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const recorded = await recordedMigrations(dataSource);
  return dataSource.migrations.map(({ name }) => name!).filter((name) => !recorded.has(name));
}

/** Names of the migrations that the database has; none if the table is missing or belongs to another program. */
export async function recordedMigrations(dataSource: DataSource): Promise<Set<string>> {
  try {
    const rows = await dataSource.query<Array<{ name: string }>>('SELECT name FROM migrations');
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    const { code, message } = error instanceof QueryFailedError ? error.driverError : ({} as Error);
    if (NOTHING_RECORDED.has(code) || /no such (table|column)/.test(message)) return new Set();
    throw error;
  }
}
