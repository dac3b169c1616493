import type { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { BatchedLookup } from './batched-lookup.js';

describe('A batched lookup', () => {
  it.each(['number', 'text'])(
    'gives each caller its own row when the row number is a %s',
    async (kind) => {
      const query = async (_: string, values: string[]) =>
        values.flatMap((account, place) =>
          account === 'nobody' ? [] : [{ place: kind === 'text' ? String(place) : place, account }],
        );
      const manager = { query, dataSource: { options: { type: 'better-sqlite3' } } };
      const lookup = new BatchedLookup<{ account: string }>(
        { manager } as unknown as DataSource,
        'account',
        'FROM player WHERE account = ?',
      );
      const found = await Promise.all(['one', 'nobody', 'two'].map((name) => lookup.find(name)));
      expect(found.map((row) => row?.account)).toEqual(['one', undefined, 'two']);
    },
  );
});
