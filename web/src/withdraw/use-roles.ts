import { ref, watch, type Ref } from 'vue';
import { ApiError } from '../api/api-error';
import { get } from '../api/client';
import type { Role } from '../api/contract';

/**
 * Returns the player's roles on the chosen server. Responses for a server that is no longer chosen are ignored.
 */
export function useRoles(serverId: Ref<number | null>) {
  const roles = ref<Role[] | null>(null);
  const failure = ref<ApiError | null>(null);

  async function load(): Promise<void> {
    const server_id = serverId.value;
    roles.value = null;
    failure.value = null;
    if (server_id === null) return;
    try {
      const answer = await get('/api/game/roles', { query: { server_id } });
      if (serverId.value === server_id) roles.value = answer.roles;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (serverId.value === server_id) failure.value = error;
    }
  }

  watch(serverId, load, { immediate: true });
  return { roles, rolesFailure: failure, loadRoles: load };
}
