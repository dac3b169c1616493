import { readonly, ref } from 'vue';
import { ApiError } from '../api/api-error';
import { get } from '../api/client';
import type { Config } from '../api/contract';

const config = ref<Config | null>(null);
const failure = ref<ApiError | null>(null);

/** The service's public settings. Each page reloads them and shows the last answer meanwhile. */
export function useConfig() {
  void load();
  return { config: readonly(config), configFailure: readonly(failure), loadConfig: load };
}

async function load(): Promise<void> {
  failure.value = null;
  try {
    config.value = await get('/api/config', { signed: false });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    failure.value = error;
  }
}
