import { ref } from 'vue';
import { ApiError } from '../api/api-error';
import { get, remove } from '../api/client';
import type { SignedIn } from '../api/contract';

/** Lists the account's sessions, and ends one session or all sessions but the current one. */
export function useSignedIn() {
  const sessions = ref<SignedIn[] | null>(null);
  const failure = ref<ApiError | null>(null);
  const ending = ref<number | 'others' | null>(null);
  const ended = ref<number | null>(null);

  async function load(): Promise<void> {
    const answer = await get('/api/sessions');
    sessions.value = answer.sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
  }

  async function attempt(task: () => Promise<void>): Promise<void> {
    failure.value = null;
    try {
      await task();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failure.value = error;
    } finally {
      ending.value = null;
    }
  }

  async function end(which: number | 'others'): Promise<void> {
    if (ending.value !== null) return;
    ending.value = which;
    ended.value = null;
    await attempt(async () => {
      ended.value = await (which === 'others' ? endOthers() : endOne(which));
      await load();
    });
  }

  const reload = () => attempt(load);
  void reload();
  return { sessions, failure, ending, ended, end, reload };
}

async function endOthers(): Promise<number> {
  return (await remove('/api/sessions')).ended;
}

async function endOne(id: number): Promise<number> {
  try {
    return (await remove('/api/sessions/{id}', { path: { id } })).ended;
  } catch (error) {
    // The session has already ended, which is the intended result.
    if (error instanceof ApiError && error.error === 'session_not_found') return 1;
    throw error;
  }
}
