import { ref } from 'vue';
import { session } from '../session/session';
import { get } from './client';

const QUIET_MS = 15_000;
const AGAIN_MS = 5000;

/**
 * The desk's event stream, and since when it is interrupted. Only a visible tab listens: a browser allows six
 * connections per host, and hidden tabs would use them up.
 */
export function createStream(path: () => string, events: Record<string, (data: string) => void>) {
  const isLive = ref(false);
  /** When the data was last pushed or read; null before that. */
  const at = ref<number | null>(null);
  let isWanted = false;
  let source: EventSource | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  /** Numbers the connections: answers about an earlier one are ignored. */
  let turn = 0;

  function begin(readAt: number | null = null): void {
    isWanted = true;
    isLive.value = false;
    at.value = readAt;
    document.addEventListener('visibilitychange', connect);
    connect();
  }

  function end(): void {
    isWanted = false;
    isLive.value = false;
    document.removeEventListener('visibilitychange', connect);
    hangUp();
  }

  /** Also after a reconnect: events of the previous connection no longer arrive. */
  function connect(): void {
    hangUp();
    if (document.hidden) isLive.value = false;
    if (document.hidden || !isWanted) return;
    watchdog = setTimeout(lost, QUIET_MS);
    source = new EventSource(path());
    for (const [name, take] of Object.entries(events))
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        take(data);
        heard();
      });
    source.addEventListener('error', lost);
  }

  function heard(): void {
    at.value = Date.now();
    isLive.value = true;
    clearTimeout(watchdog);
    watchdog = setTimeout(lost, QUIET_MS);
  }

  /** A browser reconnects by itself only after a broken connection, not after an error response. */
  function lost(): void {
    isLive.value = false;
    hangUp();
    again = setTimeout(() => {
      const asked = turn;
      // If the session has ended, this leads to the sign-in page. It does not extend the session.
      get('/api/session/standing').then(
        () => asked === turn && connect(),
        () => asked === turn && isWanted && session.operator && lost(),
      );
    }, AGAIN_MS);
  }

  function hangUp(): void {
    turn++;
    source?.close();
    clearTimeout(watchdog);
    clearTimeout(again);
  }

  return { isLive, at, begin, connect, end };
}
