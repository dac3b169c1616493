import { ref, shallowRef } from 'vue';
import { ApiError } from '../api/api-error';

/**
 * Loads a response from the desk. If several requests run, only the last one counts. A background request (`byItself`)
 * fails silently.
 */
export function useLoad<T>(ask: (byItself: boolean) => Promise<T>) {
  const data = shallowRef<T | null>(null);
  const error = shallowRef<ApiError | null>(null);
  const busy = ref(false);
  const readAt = ref<number | null>(null);
  let latest = 0;

  async function read(byItself: boolean): Promise<void> {
    const mine = ++latest;
    busy.value = !byItself;
    try {
      const answer = await ask(byItself);
      if (mine !== latest) return;
      data.value = answer;
      readAt.value = Date.now();
      error.value = null;
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (mine === latest && !byItself) error.value = thrown;
    } finally {
      if (mine === latest) busy.value = false;
    }
  }

  return { data, error, busy, readAt, load: () => read(false), refresh: () => read(true) };
}
