import { ref } from 'vue';
import { session } from '../session/session';
import { get } from './client';

const QUIET_MS = 15_000;
const AGAIN_MS = 5000;

/**
 * What the desk pushes, and since when it does not. Only a tab in front listens: a browser has six connections to one
 * host, and tabs behind would leave it none.
 */
export function createStream(path: () => string, events: Record<string, (data: string) => void>) {
  const isLive = ref(false);
  /** Of when the page is: when something came last, or it was read; null before that. */
  const at = ref<number | null>(null);
  let isWanted = false;
  let source: EventSource | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  /** Which connection it is: an answer about an earlier one does not count. */
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

  /** Also anew: what was under way before does not arrive any more. */
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

  /** A browser tries again by itself only after a broken connection, not after a refusal. */
  function lost(): void {
    isLive.value = false;
    hangUp();
    again = setTimeout(() => {
      const asked = turn;
      // If the session has ended, this leads to the sign-in. It is no use of it.
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
