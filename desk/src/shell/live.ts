import { reactive, watch } from 'vue';
import type { Dashboard } from '../api/answers';
import { createStream } from '../api/stream';
import { session } from '../session/session';

const { isLive, at, begin, end } = createStream(() => '/api/now/live', {
  now: (data) => (live.now = JSON.parse(data) as Dashboard),
});

/** The live dashboard as the desk pushes it, and since when it is interrupted. */
export const live = reactive({
  now: null as Dashboard | null,
  /** When the last update arrived; null before the first. */
  at,
  isLive,
});

watch(
  () => session.operator?.name,
  (name) => (name ? begin() : forget()),
  { immediate: true },
);

function forget(): void {
  end();
  Object.assign(live, { now: null, at: null });
}
