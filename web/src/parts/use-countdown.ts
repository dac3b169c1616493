import { computed, onScopeDispose, ref } from 'vue';

/** Counts seconds down to zero. Uses the clock, because timers are throttled in background tabs. */
export function useCountdown() {
  const deadline = ref(0);
  const now = ref(Date.now());
  let timer: ReturnType<typeof setInterval> | undefined;

  const left = computed(() => Math.max(0, Math.ceil((deadline.value - now.value) / 1000)));
  const stop = () => clearInterval(timer);
  onScopeDispose(stop);

  const start = (seconds: number): void => {
    stop();
    now.value = Date.now();
    deadline.value = now.value + seconds * 1000;
    timer = setInterval(() => {
      now.value = Date.now();
      if (left.value === 0) stop();
    }, 250);
  };
  return { left, start };
}
