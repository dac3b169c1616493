import { ref } from 'vue';
import { ApiError } from '../api/api-error';
import { get } from '../api/client';
import type { Withdrawal } from '../api/contract';

const PAGE = 6;

/** The player's withdrawals, newest first, a page at a time. */
export function useHistory() {
  const items = ref<Withdrawal[] | null>(null);
  const failure = ref<ApiError | null>(null);
  const busy = ref(false);
  const hasMore = ref(false);

  async function load(before?: number): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    try {
      const { withdrawals } = await get('/api/game/withdraw', { query: { before, limit: PAGE } });
      items.value = before === undefined ? withdrawals : [...(items.value ?? []), ...withdrawals];
      hasMore.value = withdrawals.length === PAGE;
      failure.value = null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failure.value = error;
    } finally {
      busy.value = false;
    }
  }

  void load();
  return {
    items,
    failure,
    busy,
    hasMore,
    reload: () => load(),
    loadMore: () => load(items.value?.at(-1)?.id),
  };
}

export type History = ReturnType<typeof useHistory>;
