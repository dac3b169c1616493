import { onScopeDispose, reactive, type Ref, watch } from 'vue';
import { ApiError } from '../api/api-error';
import { get } from '../api/client';
import type { Role } from '../api/contract';
import { canWithdraw } from './server-state';
import type { MyServer } from './server-list';

// A server that does not respond occupies a connection for seconds, and a browser has only six connections.
const AT_ONCE = 2;

/**
 * Returns the player's heroes on each server as the responses arrive. A server that does not respond is not asked
 * again.
 */
export function useHeroes(mine: Readonly<Ref<MyServer[]>>) {
  const heroes = reactive(new Map<number, Role[]>());
  const asked = new Set<number>();
  const waiting: number[] = [];
  let underWay = 0;

  async function ask(server_id: number): Promise<void> {
    underWay++;
    try {
      heroes.set(server_id, (await get('/api/game/roles', { query: { server_id } })).roles);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      underWay--;
      askSome();
    }
  }

  function askSome(): void {
    while (underWay < AT_ONCE && waiting.length > 0) void ask(waiting.shift()!);
  }

  watch(
    mine,
    (servers) => {
      for (const { server } of servers) {
        if (asked.has(server.id) || !canWithdraw(server)) continue;
        asked.add(server.id);
        waiting.push(server.id);
      }
      askSome();
    },
    { immediate: true },
  );
  onScopeDispose(() => waiting.splice(0));
  return heroes;
}
