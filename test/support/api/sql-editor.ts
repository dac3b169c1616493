import { createConnection } from 'mysql2/promise';
import { Environment } from '../../../src/platform/config/environment.js';
import type { TestApp } from './app.js';

const isEmbedded = ({ app }: TestApp) => app.get(Environment).DATABASE_URL === undefined;

/**
 * Runs SQL in local time and without strict mode, like a GUI editor. MySQL then stores an unknown ENUM value as
 * ''.
 */
export async function runAsEditor(service: TestApp, sql: string): Promise<void> {
  if (isEmbedded(service)) return void (await service.database.query(sql));
  const editor = await createConnection(service.app.get(Environment).DATABASE_URL!);
  try {
    await editor.query("SET SESSION sql_mode = '', time_zone = '-05:00'");
    await editor.query(sql);
  } finally {
    editor.destroy();
  }
}

/** Drops the checks on `withdraw`, which an imported table may lack. */
export async function dropWithdrawalChecks(service: TestApp): Promise<void> {
  if (isEmbedded(service)) await service.database.query('PRAGMA ignore_check_constraints = ON');
  else
    for (const check of ['withdraw_status', 'withdraw_never_sent'])
      await service.database.query(`ALTER TABLE withdraw DROP CONSTRAINT ${check}`);
}
