import type { Connection } from 'mysql2';
import { describe, expect, it } from 'vitest';
import { prepareSession } from './mysql-connection.js';

/** Prepares a session on a server whose responses come from `answer`. */
function prepare(answer: (sql: string) => unknown): Promise<void> {
  const query = (sql: string, done: (error: unknown, rows?: unknown) => void) => {
    const rows = answer(sql);
    return rows instanceof Error ? done(rows) : done(null, rows);
  };
  return prepareSession({ query } as unknown as Connection);
}

const without = (word: string) => (sql: string) =>
  sql.includes(word) ? new Error(`unknown: ${word}`) : [{ backslash: '\\' }];

describe('prepareSession', () => {
  it.each(['time_zone', 'sql_mode'])('fails if %s cannot be set', async (word) => {
    await expect(prepare(without(word))).rejects.toThrow(`unknown: ${word}`);
  });

  it('fails if backslashes are not escape characters', async () => {
    await expect(prepare(() => [{ backslash: '\\\\' }])).rejects.toThrow('NO_BACKSLASH_ESCAPES');
  });

  it.each(['max_statement_time', 'max_execution_time', 'wsrep', 'group_replication'])(
    'accepts a server that does not support %s',
    async (word) => {
      await expect(prepare(without(word))).resolves.toBeUndefined();
    },
  );
});
