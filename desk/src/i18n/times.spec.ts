import { describe, expect, it } from 'vitest';
import { moment, span } from './times';

it.each([
  [-5, '0 sec'],
  [45, '45 sec'],
  [125, '2 min'],
  [3600, '1 hr'],
  [12_000, '3 hr 20 min'],
  [187_300, '2 days 4 hr'],
])('A waiting time of %i s is shown as %s', (seconds, text) => {
  expect(span(seconds, 'en')).toBe(text);
});

describe('A timestamp', () => {
  const now = new Date(2026, 10, 15, 12, 0, 0).getTime();

  it('includes the day unless it is today, and the year unless it is this year', () => {
    expect(moment(new Date(2026, 10, 15, 2, 14, 9).getTime(), now, 'en')).toBe('02:14:09');
    expect(moment(new Date(2026, 10, 14, 0, 5, 0).getTime(), now, 'en')).toBe('Nov 14, 00:05:00');
    expect(moment(new Date(2025, 0, 2, 23, 5, 0).getTime(), now, 'en')).toContain('2025');
  });
});
