import { computed, ref, shallowRef } from 'vue';
import { ApiError } from '../api/api-error';

type Cursor = string | number | null;
interface Page<T> {
  items: T[];
  next: Cursor;
}

/** Loads a list page by page, newest first. A background request (`byItself`) fails silently. */
export function usePages<T, More = unknown>(
  ask: (cursor: Cursor, byItself: boolean) => Promise<Page<T> & More>,
) {
  const items = shallowRef<T[]>([]);
  const last = shallowRef<(Page<T> & More) | null>(null);
  const next = ref<Cursor>(null);
  const error = shallowRef<ApiError | null>(null);
  const busy = ref(false);
  const readAt = ref<number | null>(null);
  /**
   * A list of several pages is not refreshed, because a refresh would drop all but the first page.
   */
  const isLong = ref(false);
  let latest = 0;

  async function read(cursor: Cursor, byItself = false): Promise<void> {
    const mine = ++latest;
    busy.value = !byItself;
    try {
      const page = await ask(cursor, byItself);
      if (mine !== latest) return;
      items.value = cursor === null ? page.items : [...items.value, ...page.items];
      next.value = page.next;
      last.value = page;
      error.value = null;
      isLong.value = cursor !== null;
      readAt.value = Date.now();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (mine === latest && !byItself) error.value = thrown;
    } finally {
      if (mine === latest) busy.value = false;
    }
  }

  return {
    items,
    last,
    next,
    error,
    busy,
    readAt,
    isLong,
    isEmpty: computed(() => readAt.value !== null && items.value.length === 0),
    load: () => read(null),
    refresh: () => read(null, true),
    more: () => read(next.value),
  };
}
