import { computed, readonly, ref } from 'vue';
import { ApiError } from '../api/api-error';
import { get } from '../api/client';
import type { Config } from '../api/contract';

const REFRESH_MS = 60_000;

const config = ref<Config | null>(null);
const failure = ref<ApiError | null>(null);
/** Tells whether the first request has finished, successfully or not. */
const isSettled = ref(false);
let isFollowed = false;
let loading: Promise<void> | undefined;

/** Returns the service's public settings. Each page reloads the settings and meanwhile shows the last response. */
export function useConfig() {
  void load();
  return useConfigNow();
}

/** Returns the settings without another request, for components that are on every page. */
export function useConfigNow() {
  return {
    config: computed(() => config.value),
    configFailure: readonly(failure),
    isConfigSettled: readonly(isSettled),
    loadConfig: load,
  };
}

/** Returns the length that a new password needs, or the service's default until the settings have arrived. */
export function shortestPassword(): number {
  return config.value?.password.min_length ?? 8;
}

/** Loads the settings immediately and then every minute while the tab is visible, so that notices reach open pages. */
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
