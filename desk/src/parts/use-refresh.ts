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
 * Reads a page again every few seconds, and says whether it is up to date. A hidden tab waits, and so does a page under
 * a dialog that shows its data: what the dialog says must not change while somebody decides.
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
