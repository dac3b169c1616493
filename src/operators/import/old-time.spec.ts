import { describe, expect, it } from 'vitest';
import { offsetMinutes, parseOldTime } from './old-time.js';

const AT = new Date('2019-01-02T03:04:05Z');

describe('parseOldTime', () => {
  it.each([
    '1546398245',
    '1546398245000',
    '2019-01-02 11:04:05',
    '2019/1/2 11:04:05',
    '20190102110405',
  ])('reads %s', (text) => {
    expect(parseOldTime(text, offsetMinutes('+08:00'))).toEqual(AT);
  });

  it.each(['', '0', '0000-00-00 00:00:00', 'yesterday', '2019-13-01', '99'])(
    'reads %j as no time',
    (text) => {
      expect(parseOldTime(text, 0)).toBeNull();
    },
  );

  it('reads a date without a time, and a negative offset', () => {
    expect(parseOldTime('2019-01-02', offsetMinutes('-05:30'))).toEqual(
      new Date('2019-01-02T05:30:00Z'),
    );
  });
});
