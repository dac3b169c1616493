import { ref, shallowRef } from 'vue';
import { ApiError } from '../api/api-error';

/** One answer of the desk: of several requests under way, the last one counts. */
export function useLoad<T>(ask: () => Promise<T>) {
  const data = shallowRef<T | null>(null);
  const error = shallowRef<ApiError | null>(null);
  const busy = ref(false);
  let latest = 0;

  async function load(): Promise<void> {
    const mine = ++latest;
    busy.value = true;
    try {
      const answer = await ask();
      if (mine !== latest) return;
      data.value = answer;
      error.value = null;
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (mine === latest) error.value = thrown;
    } finally {
      if (mine === latest) busy.value = false;
    }
  }

  return { data, error, busy, load };
}
