import type { DataSource } from 'typeorm';
import { describe, expect, it, vi } from 'vitest';
import { EventSearch } from './event-search.js';

describe('EventSearch', () => {
  it.each(['address', 'outcome', 'request'])(
    'skips the sign-in query if no row can match the %s',
    async (name) => {
      const find = vi.fn(async () => []);
      const search = new EventSearch({ manager: { find } } as unknown as DataSource);
      expect(await search.logins({ [name]: 'größe', limit: 1 })).toEqual([]);
      expect(find).not.toHaveBeenCalled();
      await search.logins({ [name]: 'plain', limit: 1 });
      expect(find).toHaveBeenCalledOnce();
    },
  );
});
