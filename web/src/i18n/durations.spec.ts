import { describe, expect, it } from 'vitest';
import { ago, clock, duration } from './durations';

describe('A countdown', () => {
  it.each([
    [0, '0:00'],
    [9, '0:09'],
    [60, '1:00'],
    [3599, '59:59'],
    [18_729, '5:12:09'],
  ])('of %i s is shown as %s', (seconds, text) => {
    expect(clock(seconds)).toBe(text);
  });
});

describe('A duration', () => {
  it.each([
    [60, '1 minute', '1 分钟'],
    [120, '2 minutes', '2 分钟'],
    [90, '90 seconds', '90 秒钟'],
    [45, '45 seconds', '45 秒钟'],
  ])('of %i s is shown as %s and %s', (seconds, en, zh) => {
    expect(duration(seconds, 'en')).toBe(en);
    expect(duration(seconds, 'zh-CN')).toBe(zh);
  });
});

it('A past time is shown in the largest unit that fits', () => {
  const now = Date.parse('2026-06-01T12:00:00Z');
  const before = (seconds: number) => ago(now - seconds * 1000, now, 'en');
  expect(before(-90)).toBe('now');
  expect(before(59)).toBe('now');
  expect(before(61)).toBe('1 minute ago');
  expect(before(2 * 3600 + 5)).toBe('2 hours ago');
  expect(before(26 * 3600)).toBe('yesterday');
  expect(before(40 * 24 * 3600)).toBe('last month');
  expect(ago(now - 3 * 60_000, now, 'zh-CN')).toBe('3 分钟前');
});
