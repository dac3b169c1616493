import { computed, readonly, ref } from 'vue';
import { ApiError } from '../api/api-error';
import { get } from '../api/client';
import type { Config } from '../api/contract';

const REFRESH_MS = 60_000;

const config = ref<Config | null>(null);
const failure = ref<ApiError | null>(null);
/** Whether the first request has finished, with or without an answer. */
const isSettled = ref(false);
let isFollowed = false;
let loading: Promise<void> | undefined;

/** The service's public settings. Each page reloads them and shows the last answer meanwhile. */
export function useConfig() {
  void load();
  return useConfigNow();
}

/** The same without another request, for parts that are on every page. */
export function useConfigNow() {
  return {
    config: computed(() => config.value),
    configFailure: readonly(failure),
    isConfigSettled: readonly(isSettled),
    loadConfig: load,
  };
}

/** Loads them at once and then every minute while the tab is visible: a notice must reach open pages. */
export function followConfig(): void {
  if (isFollowed) return;
  isFollowed = true;
  void load();
  const refresh = () => {
    if (document.visibilityState === 'visible') void load();
  };
  setInterval(refresh, REFRESH_MS);
  document.addEventListener('visibilitychange', refresh);
}

function load(): Promise<void> {
  loading ??= ask().finally(() => (loading = undefined));
  return loading;
}

async function ask(): Promise<void> {
  try {
    config.value = await get('/api/config', { signed: false });
    failure.value = null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    failure.value = error;
  } finally {
    isSettled.value = true;
  }
}
