import { describe, expect, it } from 'vitest';
import { dayOf, spanOfDay } from './day.js';

const span = (day: string, zone: string) => {
  const { from, to } = spanOfDay(day, zone);
  return [from.toISOString(), to.toISOString()];
};

describe('the withdrawal day', () => {
  it('turns at midnight of its time zone', () => {
    expect(dayOf(new Date('2026-03-01T15:59:59.999Z'), 'Asia/Shanghai')).toBe('2026-03-01');
    expect(dayOf(new Date('2026-03-01T16:00:00.000Z'), 'Asia/Shanghai')).toBe('2026-03-02');
    expect(dayOf(new Date('2026-03-01T16:00:00.000Z'), 'UTC')).toBe('2026-03-01');
  });

  it.each([
    ['2026-03-02', 'UTC', '2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z'],
    ['2026-03-02', 'Asia/Shanghai', '2026-03-01T16:00:00.000Z', '2026-03-02T16:00:00.000Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['2026-02-28', 'Asia/Kolkata', '2026-02-27T18:30:00.000Z', '2026-02-28T18:30:00.000Z'],
  ])('%s in %s', (day, zone, from, to) => {
    expect(span(day, zone)).toEqual([from, to]);
  });
});
