import { effectScope, nextTick, ref, shallowRef } from 'vue';
import { expect, it } from 'vitest';
import type { TimelinePage } from '../api/answers';
import { keyOf } from './timeline-head';
import { KINDS } from './timeline-kinds';
import { useTimeline } from './use-timeline';

const pageOf = (...ids: number[]): TimelinePage => ({
  events: ids.map((id) => ({ kind: 'login', id, at: `2026-11-15T10:00:${10 + id}.000Z` })),
  next: 'more',
});

it('keeps what was pushed while it was read', async () => {
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
