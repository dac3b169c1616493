import { describe, expect, it } from 'vitest';
import { dayIn, secondsToNextDay } from './calendar-day.js';

const HOUR = 60 * 60;

describe('the registration day', () => {
  it.each([
    ['UTC', '2026-11-15T23:59:59.999Z', '2026-11-15'],
    ['Asia/Shanghai', '2026-11-15T15:59:59Z', '2026-11-15'],
    ['Asia/Shanghai', '2026-11-15T16:00:00Z', '2026-11-16'],
    ['America/New_York', '2026-01-01T04:59:59Z', '2025-12-31'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
  ])('in %s at %s is %s', (timezone, at, day) => {
    expect(dayIn(timezone, new Date(at))).toBe(day);
  });

  it.each([
    ['UTC', '2026-11-15T00:00:00Z', 24 * HOUR],
    ['UTC', '2026-11-15T23:59:59Z', 1],
    ['Asia/Shanghai', '2026-11-15T15:30:00Z', HOUR / 2],
    ['Asia/Kathmandu', '2026-11-15T18:00:00Z', HOUR / 4],
    ['clocks put back: Europe/Berlin', '2026-10-24T22:00:00Z', 25 * HOUR],
    ['clocks put forward: Europe/Berlin', '2026-03-28T23:00:00Z', 23 * HOUR],
  ])('in %s at %s lasts another %d seconds', (place, at, seconds) => {
    const timezone = place.split(': ').at(-1)!;
    expect(secondsToNextDay(timezone, new Date(at))).toBe(seconds);
  });
});
