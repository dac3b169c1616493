import { useNow } from 'gatehouse-ui/use-now';
import { computed, onScopeDispose, type Ref } from 'vue';

const REFRESH_MS = 5000;
const LATE_MS = 15_000;

interface Refreshed {
  readAt: Readonly<Ref<number | null>>;
  busy: Readonly<Ref<boolean>>;
  refresh: () => Promise<void>;
}

interface RefreshOptions {
  isPaused?: () => boolean;
  readsUnderDialogs?: boolean;
}

/**
 * Reloads a page every few seconds and tells whether the page is up to date. Reloading pauses in a
 * hidden tab and under a dialog that shows the page's data, because the dialog must not change
 * while the operator decides.
 */
export function useRefresh(
  { readAt, busy, refresh }: Refreshed,
  { isPaused = () => false, readsUnderDialogs = false }: RefreshOptions = {},
) {
  const now = useNow();
  let isReading = false;

  async function readAgain(): Promise<void> {
    const isUnderDialog = !readsUnderDialogs && document.querySelector('dialog[open]') !== null;
    const waits = document.hidden || isUnderDialog || isPaused();
    if (readAt.value === null || busy.value || isReading || waits) return;
    isReading = true;
    await refresh().finally(() => (isReading = false));
  }

  const again = () => void readAgain();
  const timer = setInterval(again, REFRESH_MS);
  document.addEventListener('visibilitychange', again);
  onScopeDispose(() => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', again);
  });
  return computed(() => readAt.value !== null && !isPaused() && now.value - readAt.value < LATE_MS);
}
