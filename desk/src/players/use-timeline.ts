import { computed, type Ref, watch } from 'vue';
import type { TimelineEvent, TimelinePage } from '../api/answers';
import { usePages } from '../parts/use-pages';
import { isGap, onceEach, withHead, withoutDoubles } from './timeline-head';

/** Loads a timeline page by page, while the newest part is reloaded regularly. */
export function useTimeline(
  ask: (before: string | null, byItself: boolean) => Promise<TimelinePage>,
  head: () => TimelinePage | null,
  kinds: Ref<readonly string[]>,
) {
  const pages = usePages<TimelineEvent>(async (before, byItself) => {
    const { events, next } = await ask(before as string | null, byItself);
    return { items: events, next };
  });
  const { items } = pages;

  function takeHead(newest: TimelinePage): void {
    items.value = withHead(items.value, newest, kinds.value);
  }

  /** Runs `read`, and then applies a newer head that arrived meanwhile to the loaded page. */
  async function readAnew(read: () => Promise<void>): Promise<void> {
    const known = head();
    await read();
    const newest = head();
    if (newest && newest !== known) takeHead(newest);
  }

  const load = () => readAnew(pages.load);

  watch(kinds, load, { immediate: true });
  watch(head, (newest, before) => {
    if (!newest) return;
    if (before && isGap(before, newest)) void readAnew(pages.refresh);
    else takeHead(newest);
  });

  return { ...pages, load, rows: computed(() => withoutDoubles(onceEach(items.value))) };
}
