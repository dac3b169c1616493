import { onScopeDispose, readonly, ref } from 'vue';

/** The current time, updated for countdowns and for ages that grow while somebody looks. */
export function useNow(everyMs = 1000) {
  const now = ref(Date.now());
  const timer = setInterval(() => (now.value = Date.now()), everyMs);
  onScopeDispose(() => clearInterval(timer));
  return readonly(now);
}
