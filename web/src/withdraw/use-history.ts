import { onScopeDispose, ref } from 'vue';
import { ApiError, type Ban } from '../api/api-error';
import { get } from '../api/client';
import type { Withdrawal } from '../api/contract';
import { ASK_EVERY_MS } from './outcome';
import { isSettled } from './withdrawal-states';

const PAGE = 50;

/** The player's withdrawals, newest first, a page at a time. While one is open, the page asks for updates. */
export function useHistory() {
  const items = ref<Withdrawal[] | null>(null);
  const leftToday = ref<number | null>(null);
  const ban = ref<Ban | null>(null);
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
      // Keeps the loaded pages; only what is new or changed is taken from the first one.
      else items.value = [...withdrawals, ...known.filter(({ id }) => id < oldest)];
      if (before !== undefined || known.length <= PAGE) hasMore.value = withdrawals.length === PAGE;
      leftToday.value = left_today;
      ban.value = answer.ban;
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
    ban,
    failure,
    busy,
    hasMore,
    reload: () => load(),
    loadMore: () => load(items.value?.at(-1)?.id),
  };
}

export type History = ReturnType<typeof useHistory>;
