import { onScopeDispose, ref } from 'vue';
import { ApiError } from '../api/api-error';
import { get } from '../api/client';
import type { Server } from '../api/contract';

const REFRESH_MS = 15_000;

/** Returns the servers, refreshed while the tab is visible. */
export function useServers() {
  const servers = ref<Server[] | null>(null);
  const failure = ref<ApiError | null>(null);

  async function load(): Promise<void> {
    try {
      servers.value = (await get('/api/server/list', { signed: false })).servers;
      failure.value = null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failure.value = error;
    }
  }

  function refresh(): void {
    if (document.visibilityState === 'visible') void load();
  }

  void load();
  const timer = setInterval(refresh, REFRESH_MS);
  document.addEventListener('visibilitychange', refresh);
  window.addEventListener('online', refresh);
  onScopeDispose(() => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', refresh);
    window.removeEventListener('online', refresh);
  });
  return { servers, serversFailure: failure, loadServers: load };
}
