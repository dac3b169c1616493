import { describe, expect, it } from 'vitest';
import { sqlTime } from './sql-time.js';

describe('A time in SQL', () => {
  it.each([
    ['2026-11-16T06:07:08.009Z', '2026-11-16 06:07:08.009'],
    // Of the same second, which is known by then.
    ['2026-11-16T06:07:08.999Z', '2026-11-16 06:07:08.999'],
    ['2026-11-16T06:07:09.000Z', '2026-11-16 06:07:09.000'],
    ['1969-12-31T23:59:59.001Z', '1969-12-31 23:59:59.001'],
    ['1970-01-01T00:00:00.000Z', '1970-01-01 00:00:00.000'],
  ])('of %s is written as %s', (time, text) => {
    expect(sqlTime(new Date(time))).toBe(text);
    expect(sqlTime(Date.parse(time))).toBe(text);
  });

  it('has no fraction of a millisecond', () => {
    expect(sqlTime(1.9)).toBe('1970-01-01 00:00:00.001');
    expect(sqlTime(-1.9)).toBe('1969-12-31 23:59:59.999');
  });

  it('must be valid', () => {
    expect(() => sqlTime(new Date(Number.NaN))).toThrow(RangeError);
  });
});
