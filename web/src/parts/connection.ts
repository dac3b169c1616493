import { readonly, ref } from 'vue';
import type { ApiError } from '../api/api-error';

const offline = ref(!navigator.onLine);
window.addEventListener('offline', () => (offline.value = true));
window.addEventListener('online', () => (offline.value = false));

/**
 * This is true while the browser has no connection. The bar at the top reports a missing connection once for the whole
 * page.
 */
export const isOffline = readonly(offline);

export function isOfflineError({ error }: Pick<ApiError, 'error'>): boolean {
  return offline.value && error === 'network';
}
