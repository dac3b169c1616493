import { ref } from 'vue';
import { ApiError } from '../api/api-error';
import { get } from '../api/client';
import type { Data } from '../api/contract';

type Entered = Data<'/api/server/mine', 'get'>['servers'];

/**
 * Returns the servers that the player entered last. If the request fails, the list is empty, because all servers
 * are listed anyway.
 */
export function useMyServers() {
  const entered = ref<Entered | null>(null);

  async function load(): Promise<void> {
    try {
      entered.value = (await get('/api/server/mine')).servers;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      entered.value ??= [];
    }
  }

  void load();
  return { entered };
}
