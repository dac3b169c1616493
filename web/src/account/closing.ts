import { ref } from 'vue';
import { ApiError } from '../api/api-error';
import { get, post } from '../api/client';
import { session } from '../session/session';

/**
 * This tab's account will be closed at this time. Null means that no closing is planned. The banner on every page and
 * the account page show the time.
 */
export const closingAt = ref<string | null>(null);

/** Without a response the banner stays unchanged, and the page itself shows the error. */
export async function loadClosing(): Promise<void> {
  try {
    const { closing_at, server_id } = await get('/api/account');
    closingAt.value = closing_at;
    // Only the response to a sign-in with the password or a passkey names the realm that the player chose before.
    if (session.serverId === null) session.rememberServer(server_id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

export async function keepAccount(): Promise<void> {
  await post('/api/account/keep', undefined);
  closingAt.value = null;
}
