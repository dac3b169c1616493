import { computed, effectScope, reactive, watch } from 'vue';
import type { Dashboard } from '../api/answers';
import { getByItself } from '../api/client';
import { useLoad } from '../parts/use-load';
import { useRefresh } from '../parts/use-refresh';
import { session } from '../session/session';

const { data: now, readAt: at, busy, refresh } = useLoad(() => getByItself<Dashboard>('/api/now'));
// This is never null, so that a failed first request is repeated.
const readAt = computed(() => at.value ?? 0);
const isPaused = () => session.operator === null;
const isLive = effectScope(true).run(() =>
  useRefresh({ readAt, busy, refresh }, { isPaused, readsUnderDialogs: true }),
);

/**
 * Holds the dashboard, which is reloaded while an operator is signed in, the time of the last
 * reload, and whether the dashboard is up to date.
 */
export const live = reactive({ now, at, isLive });

watch(
  () => session.operator?.name,
  (name) => {
    now.value = at.value = null;
    if (name) void refresh();
  },
  { immediate: true },
);
