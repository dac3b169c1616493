import { reactive, watch } from 'vue';
import { get } from '../api/client';
import type { Now } from '../api/answers';
import { session } from '../session/session';

const QUIET_MS = 15_000;
const AGAIN_MS = 5000;

/** What stands now, as the desk pushes it, and since when it does not. */
export const live = reactive({
  now: null as Now | null,
  /** When the last of it came; null before the first. */
  at: null as number | null,
  isLive: false,
});

let source: EventSource | undefined;
let watchdog: ReturnType<typeof setTimeout> | undefined;
let again: ReturnType<typeof setTimeout> | undefined;

watch(
  () => session.operator?.name,
  (name) => (name ? connect() : forget()),
  { immediate: true },
);

function connect(): void {
  hangUp();
  source = new EventSource('/api/now/live');
  source.addEventListener('now', ({ data }: MessageEvent<string>) =>
    receive(JSON.parse(data) as Now),
  );
  source.addEventListener('error', lost);
}

function receive(now: Now): void {
  live.now = now;
  live.at = Date.now();
  live.isLive = true;
  clearTimeout(watchdog);
  watchdog = setTimeout(lost, QUIET_MS);
}

/** A browser tries again by itself only after a broken connection, not after a refusal. */
function lost(): void {
  live.isLive = false;
  hangUp();
  again = setTimeout(() => {
    // If the session has ended, this leads to the sign-in.
    get('/api/session').then(connect, () => session.operator && lost());
  }, AGAIN_MS);
}

function hangUp(): void {
  source?.close();
  clearTimeout(watchdog);
  clearTimeout(again);
}

function forget(): void {
  hangUp();
  Object.assign(live, { now: null, at: null, isLive: false });
}
