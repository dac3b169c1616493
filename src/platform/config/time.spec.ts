import { describe, expect, it } from 'vitest';
import { calendarDay, localDay, secondsUntilNextDay, dayBounds } from './time.js';

const HOUR = 60 * 60;

describe('A calendar day', () => {
  it.each([
    ['UTC', '2026-11-15T23:59:59.999Z', '2026-11-15'],
    ['Asia/Shanghai', '2026-11-15T15:59:59Z', '2026-11-15'],
    ['Asia/Shanghai', '2026-11-15T16:00:00Z', '2026-11-16'],
    ['America/New_York', '2026-01-01T04:59:59Z', '2025-12-31'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
  ])('in %s at %s is %s', (timezone, at, day) => {
    expect(localDay(timezone, new Date(at))).toBe(day);
  });

  it.each([
    ['UTC', '2026-11-15T23:30:00Z', '2026-11-15', '2026-11-14'],
    ['Asia/Shanghai', '2026-11-15T16:00:00Z', '2026-11-16', '2026-11-15'],
    // This day has 25 hours, so 24 hours earlier is still the same day.
    ['Europe/Berlin', '2026-10-25T22:30:00Z', '2026-10-25', '2026-10-24'],
  ])('in %s at %s is %s, and yesterday was %s', (timezone, at, today, yesterday) => {
    const days = ['today', 'yesterday', '2020-02-29'];
    expect(days.map((day) => calendarDay(timezone, day, new Date(at)))).toEqual([
      today,
      yesterday,
      '2020-02-29',
    ]);
  });

  it.each([
    ['UTC', '2026-11-15T00:00:00Z', 24 * HOUR],
    ['UTC', '2026-11-15T23:59:59Z', 1],
    ['Asia/Shanghai', '2026-11-15T15:30:00Z', HOUR / 2],
    ['Asia/Kathmandu', '2026-11-15T18:00:00Z', HOUR / 4],
    ['clocks put back: Europe/Berlin', '2026-10-24T22:00:00Z', 25 * HOUR],
    ['clocks put forward: Europe/Berlin', '2026-03-28T23:00:00Z', 23 * HOUR],
  ])('in %s at %s ends in %d seconds', (place, at, seconds) => {
    const timezone = place.split(': ').at(-1)!;
    expect(secondsUntilNextDay(timezone, new Date(at))).toBe(seconds);
  });

  it.each([
    ['UTC', '2026-03-02', '2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z'],
    ['Asia/Shanghai', '2026-03-02', '2026-03-01T16:00:00.000Z', '2026-03-02T16:00:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['Asia/Kolkata', '2026-02-28', '2026-02-27T18:30:00.000Z', '2026-02-28T18:30:00.000Z'],
    // The clocks go from midnight straight to one, so the day begins at one.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
  ])('in %s on %s lasts from %s to %s', (timezone, day, from, to) => {
    expect(dayBounds(timezone, day)).toEqual({ from: new Date(from), to: new Date(to) });
  });
});
