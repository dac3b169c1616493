import { describe, expect, it } from 'vitest';
import type { TimelineEvent } from '../api/answers';
import { isGap, keyOf, onceEach, withHead, withoutDoubles } from './timeline-head';
import { KINDS } from './timeline-kinds';

const event = (kind: TimelineEvent['kind'], id: number, second: number): TimelineEvent => ({
  kind,
  id,
  at: `2026-11-15T10:00:${String(second).padStart(2, '0')}.000Z`,
});
const keys = (events: TimelineEvent[]) => events.map(keyOf);
const items = [event('login', 3, 30), event('entry', 7, 20), event('act', 1, 10)];

describe('The head of a timeline', () => {
  it('adds new events, keeps older pages and duplicates nothing', () => {
    const events = [event('entry', 7, 40), event('mail', 9, 35), event('login', 3, 30)];
    expect(keys(withHead(items, { events, next: 'more' }, KINDS))).toEqual([
      'entry 7',
      'mail 9',
      'login 3',
      'act 1',
    ]);
    expect(keys(withHead(items, { events, next: 'more' }, ['entry', 'act']))).toEqual([
      'entry 7',
      'act 1',
    ]);
  });

  it('removes deleted events and distinguishes events with the same time', () => {
    const head = { events: [event('login', 4, 30), event('login', 3, 30)], next: 'more' };
    const before = [event('login', 5, 30), ...items, event('session', 2, 30)];
    expect(keys(withHead(before, head, KINDS))).toEqual([
      'login 4',
      'login 3',
      'entry 7',
      'act 1',
      'session 2',
    ]);
    expect(withHead(items, { events: [], next: null }, KINDS)).toEqual([]);
  });

  it('detects a gap when two reads have no event in common', () => {
    const other = [event('login', 99, 59)];
    expect(isGap({ events: items, next: 'more' }, { events: other, next: 'more' })).toBe(true);
    expect(isGap({ events: items, next: 'more' }, { events: other, next: null })).toBe(false);
    expect(isGap({ events: items, next: null }, { events: items.slice(1), next: 'x' })).toBe(false);
    expect(isGap({ events: [], next: null }, { events: other, next: 'more' })).toBe(false);
  });

  it('identifies a link by its content because link ids are reused', () => {
    const link = (provider: string, id: number) => ({ ...event('link', id, 30), provider });
    const [forum, weixin] = [link('forum', 1), link('weixin', 2)];
    expect(keyOf(forum)).not.toBe(keyOf({ ...weixin, id: 1 }));
    expect(keyOf(weixin)).toBe(keyOf({ ...weixin, id: 1 }));
  });

  it('shows an event once, in its newest state', () => {
    const [now, then] = [event('entry', 7, 40), event('entry', 7, 20)];
    expect(onceEach([now, event('login', 3, 30), then])).toEqual([now, event('login', 3, 30)]);
  });

  it('omits a running session whose sign-in is shown', () => {
    const signIn = { ...event('login', 1, 20), outcome: 'ok', address: '192.0.2.1' };
    const session = { ...event('session', 1, 21), address: '192.0.2.1' };
    const others = [
      { ...session, id: 2, ended_at: '2026-11-15T11:00:00.000Z' },
      { ...session, id: 3, address: '192.0.2.2' },
      { ...event('session', 4, 40), address: '192.0.2.1' },
    ];
    const kept = withoutDoubles([signIn, session, ...others]);
    expect(keys(kept)).toEqual(['login 1', 'session 2', 'session 3', 'session 4']);
    expect(withoutDoubles([session])).toEqual([session]);
  });
});
