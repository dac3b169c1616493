import { ref } from 'vue';
import { ApiError } from '../api/api-error';
import { get } from '../api/client';
import type { Profile } from '../api/contract';
import { closingAt } from './closing';

export function useProfile() {
  const profile = ref<Profile | null>(null);
  const failure = ref<ApiError | null>(null);

  async function load(): Promise<void> {
    try {
      profile.value = await get('/api/account');
      closingAt.value = profile.value.closing_at;
      failure.value = null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failure.value = error;
    }
  }

  void load();
  return { profile, profileFailure: failure, loadProfile: load };
}
