import { ref } from 'vue';
import { ApiError } from '../api/api-error';
import { get, post } from '../api/client';

/** When the account of this tab is closed; null: it stays. The banner of every page and the account page show it. */
export const closingAt = ref<string | null>(null);

/** Without an answer the banner stays as it is: the page itself says what is wrong. */
export async function loadClosing(): Promise<void> {
  try {
    closingAt.value = (await get('/api/account')).closing_at;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

export async function keepAccount(): Promise<void> {
  await post('/api/account/keep', undefined);
  closingAt.value = null;
}
