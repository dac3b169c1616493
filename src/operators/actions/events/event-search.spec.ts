import type { DataSource } from 'typeorm';
import { expect, it, vi } from 'vitest';
import { EventSearch } from './event-search.js';

it.each(['address', 'outcome', 'request'])(
  'a sign-in is not looked for by an %s that none can have',
  async (name) => {
    const find = vi.fn(async () => []);
    const search = new EventSearch({ manager: { find } } as unknown as DataSource);
    expect(await search.logins({ [name]: 'größe', limit: 1 })).toEqual([]);
    expect(find).not.toHaveBeenCalled();
    await search.logins({ [name]: 'plain', limit: 1 });
    expect(find).toHaveBeenCalledOnce();
  },
);
