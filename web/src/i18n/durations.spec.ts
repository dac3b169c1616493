import { describe, expect, it } from 'vitest';
import { clock, duration } from './durations';

describe('a countdown', () => {
  it.each([
    [0, '0:00'],
    [9, '0:09'],
    [60, '1:00'],
    [3599, '59:59'],
    [18_729, '5:12:09'],
  ])('of %i s reads %s', (seconds, text) => {
    expect(clock(seconds)).toBe(text);
  });
});

describe('a duration', () => {
  it.each([
    [60, '1 minute', '1分钟'],
    [120, '2 minutes', '2分钟'],
    [90, '90 seconds', '90秒钟'],
    [45, '45 seconds', '45秒钟'],
  ])('of %i s reads %s, %s', (seconds, en, zh) => {
    expect(duration(seconds, 'en')).toBe(en);
    expect(duration(seconds, 'zh-CN').replace(/\s/g, '')).toBe(zh);
  });
});
