import { effectScope, nextTick, ref, shallowRef } from 'vue';
import { describe, expect, it, vi } from 'vitest';
import type { TimelinePage } from '../api/answers';
import { keyOf } from './timeline-head';
import { KINDS } from './timeline-kinds';
import { useTimeline } from './use-timeline';

const pageOf = (...ids: number[]): TimelinePage => ({
  events: ids.map((id) => ({ kind: 'login', id, at: `2026-11-15T10:00:${10 + id}.000Z` })),
  next: 'more',
});

describe('useTimeline', () => {
  it('keeps updates that arrive during loading', async () => {
    const scope = effectScope();
    const head = shallowRef<TimelinePage | null>(pageOf(3, 2));
    let answer!: (page: TimelinePage) => void;
    const asked = new Promise<TimelinePage>((resolve) => (answer = resolve));
    const { rows } = scope.run(() =>
      useTimeline(
        () => asked,
        () => head.value,
        ref(KINDS),
      ),
    )!;
    head.value = pageOf(4, 3);
    await nextTick();
    answer(pageOf(3, 2, 1));
    await expect.poll(() => rows.value.map(keyOf)).toEqual([4, 3, 2, 1].map((id) => `login ${id}`));
    scope.stop();
  });

  it('reloads after a gap without extending the session', async () => {
    const scope = effectScope();
    const head = shallowRef<TimelinePage | null>(pageOf(3, 2));
    const kinds = shallowRef<readonly string[]>(KINDS);
    const ask = vi.fn(async (_before: string | null, _byItself: boolean) => pageOf(30, 29, 3));
    const { rows, load, more } = scope.run(() => useTimeline(ask, () => head.value, kinds))!;
    const asked = () => ask.mock.calls.splice(0);
    await expect.poll(() => rows.value).toHaveLength(3);
    expect(asked()).toEqual([[null, false]]);
    // Without a gap, nothing is requested.
    head.value = pageOf(4, 3);
    await nextTick();
    expect(asked()).toEqual([]);
    head.value = pageOf(30, 29);
    await nextTick();
    expect(asked()).toEqual([[null, true]]);
    kinds.value = ['login'];
    await nextTick();
    expect(asked()).toEqual([[null, false]]);
    await load();
    await more();
    expect(asked()).toEqual([
      [null, false],
      ['more', false],
    ]);
    scope.stop();
  });
});
