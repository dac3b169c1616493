import { describe, expect, it } from 'vitest';
import { canEnter, canRegister, canWithdraw, zoneState } from './zone-state';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const soon = '2026-01-01T12:00:01Z';
const past = '2026-01-01T11:59:59Z';
const zone = (
  status: 'new' | 'normal' | 'busy' | 'full' | 'maintenance',
  open_at: string | null = null,
) => ({
  status,
  open_at,
});

describe('a zone', () => {
  it('can be entered unless it is being maintained or has yet to open', () => {
    for (const status of ['new', 'normal', 'busy', 'full'] as const)
      expect(canEnter(zone(status), NOW)).toBe(true);
    expect(canEnter(zone('maintenance'), NOW)).toBe(false);
    expect(canEnter(zone('new', soon), NOW)).toBe(false);
    expect(canEnter(zone('new', past), NOW)).toBe(true);
  });

  it('shows that it has yet to open, unless it is being maintained', () => {
    expect(zoneState(zone('new', soon), NOW)).toBe('upcoming');
    expect(zoneState(zone('maintenance', soon), NOW)).toBe('maintenance');
    expect(zoneState(zone('busy', past), NOW)).toBe('busy');
  });

  it('takes no newcomers when full, and no withdrawals under maintenance', () => {
    expect(canRegister(zone('full'))).toBe(false);
    expect(canRegister(zone('new', soon))).toBe(true);
    expect(canWithdraw(zone('full'))).toBe(true);
    expect(canWithdraw(zone('maintenance'))).toBe(false);
  });
});
