import { describe, expect, it } from 'vitest';
import type { GameServer } from './game-server.entity.js';
import { validateServer } from './server-validation.js';

const SERVER = {
  name: 'z',
  address: 'a.example',
  port: 7000,
  status: 'normal',
  openAt: null,
  group: null,
};
const problemWith = (change: Record<string, unknown>) =>
  validateServer({ ...SERVER, ...change } as GameServer);

describe('Server validation', () => {
  it.each([
    {},
    { address: 'S1.game.example' },
    { address: 'server-1_a' },
    { address: '192.0.2.1' },
    { address: '2001:db8::1' },
    { openAt: new Date(0) },
    { status: 'scheduled', openAt: new Date(0) },
    { group: '东部' },
  ])('accepts %o', (change) => {
    expect(problemWith(change)).toBeUndefined();
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ address: null }, 'address'],
    [{ address: 7 }, 'address'],
    [{ address: 'not a host' }, 'address'],
    [{ address: 'a.example/path' }, 'address'],
    [{ address: 'user@a.example' }, 'address'],
    [{ address: 'a.example:7000' }, 'address'],
    [{ address: '-a.example' }, 'address'],
    [{ port: '7000' }, 'port'],
    [{ port: 65536 }, 'port'],
    [{ status: 'opne' }, 'status'],
    [{ openAt: 1793000000 }, 'open_at'],
    [{ status: 'scheduled' }, 'open_at'],
    [{ openAt: new Date('x') }, 'open_at'],
    [{ group: ' ' }, 'zone_group'],
    [{ group: 7 }, 'zone_group'],
  ])('rejects %o', (change, column) => {
    expect(problemWith(change)).toContain(`its ${column}`);
  });
});
