import { onScopeDispose, readonly, ref } from 'vue';

/** Returns the current time, updated regularly for countdowns and ages. */
export function useNow(everyMs = 1000) {
  const now = ref(Date.now());
  const timer = setInterval(() => (now.value = Date.now()), everyMs);
  onScopeDispose(() => clearInterval(timer));
  return readonly(now);
}
