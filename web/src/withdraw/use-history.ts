import { onScopeDispose, ref } from 'vue';
import { ApiError, type Ban } from '../api/api-error';
import { get } from '../api/client';
import type { Withdrawal } from '../api/contract';
import { ASK_EVERY_MS } from './outcome';
import { isSettled } from './withdrawal-states';

const PAGE = 50;

/**
 * Returns the player's withdrawals, newest first and page by page. While a withdrawal is open, the page asks for
 * updates.
 */
export function useHistory() {
  const items = ref<Withdrawal[] | null>(null);
  const leftToday = ref<number | null>(null);
  /** Holds the reason why the player cannot withdraw, or null if nothing prevents it. */
  const hold = ref<{ ban: Ban | null; paused_until: string | null } | null>(null);
  const failure = ref<ApiError | null>(null);
  const busy = ref(false);
  const hasMore = ref(false);

  async function load(before?: number): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    try {
      const query = { before, limit: PAGE };
      const answer = await get('/api/game/withdraw', { query });
      const { withdrawals, left_today } = answer;
      const known = items.value ?? [];
      const oldest = withdrawals.at(-1)?.id ?? 0;
      if (before !== undefined) items.value = [...known, ...withdrawals];
      // Keeps the loaded pages and takes only new or changed withdrawals from the first page.
      else items.value = [...withdrawals, ...known.filter(({ id }) => id < oldest)];
      if (before !== undefined || known.length <= PAGE) hasMore.value = withdrawals.length === PAGE;
      leftToday.value = left_today;
      const { ban, paused_until } = answer;
      hold.value = ban || paused_until ? { ban, paused_until } : null;
      failure.value = null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failure.value = error;
    } finally {
      busy.value = false;
    }
  }

  const timer = setInterval(() => {
    const isOpen = items.value?.some((item) => !isSettled(item)) ?? false;
    if (isOpen && document.visibilityState === 'visible') void load();
  }, ASK_EVERY_MS);
  onScopeDispose(() => clearInterval(timer));

  void load();
  return {
    items,
    leftToday,
    hold,
    failure,
    busy,
    hasMore,
    reload: () => load(),
    loadMore: () => load(items.value?.at(-1)?.id),
  };
}

export type History = ReturnType<typeof useHistory>;
