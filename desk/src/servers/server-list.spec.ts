import { describe, expect, it } from 'vitest';
import type { ServerListItem } from '../api/answers';
import { matching } from './server-list';

describe('The search for servers', () => {
  const servers = [17, 7, 27].map(
    (id) => ({ row: { id, name: `Realm ${id}`, status: 'normal' } }) as ServerListItem,
  );

  it('lists the server with exactly this number first', () => {
    expect(matching(servers, '7', '').map(({ row }) => row.id)).toEqual([7, 17, 27]);
    expect(matching(servers, 'realm', '').map(({ row }) => row.id)).toEqual([17, 7, 27]);
  });
});
