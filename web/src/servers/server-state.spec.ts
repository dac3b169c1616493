import { describe, expect, it } from 'vitest';
import { canEnter, canRegister, canWithdraw, serverState } from './server-state';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const soon = '2026-01-01T12:00:01Z';
const past = '2026-01-01T11:59:59Z';
const server = (
  status: 'new' | 'normal' | 'busy' | 'full' | 'maintenance',
  open_at: string | null = null,
) => ({
  status,
  open_at,
});

describe('A server', () => {
  it('can be entered unless it is under maintenance or not open yet', () => {
    for (const status of ['new', 'normal', 'busy', 'full'] as const)
      expect(canEnter(server(status), NOW)).toBe(true);
    expect(canEnter(server('maintenance'), NOW)).toBe(false);
    expect(canEnter(server('new', soon), NOW)).toBe(false);
    expect(canEnter(server('new', past), NOW)).toBe(true);
  });

  it('is shown as opening soon unless it is under maintenance', () => {
    expect(serverState(server('new', soon), NOW)).toBe('upcoming');
    expect(serverState(server('maintenance', soon), NOW)).toBe('maintenance');
    expect(serverState(server('busy', past), NOW)).toBe('busy');
  });

  it('accepts no new players when full and no withdrawals under maintenance', () => {
    expect(canRegister(server('full'))).toBe(false);
    expect(canRegister(server('new', soon))).toBe(true);
    expect(canWithdraw(server('full'))).toBe(true);
    expect(canWithdraw(server('maintenance'))).toBe(false);
  });
});
