import { ApiError } from './api-error';

const MOST_TRIES = 3;
// A busy service says 1 or 2 seconds; more means another problem, which the player should see.
const SHORT_SECONDS = 2;

/**
 * Repeats a request that a busy service turned away, if it is safe to repeat. With a random delay, so that not all
 * players come back at once.
 */
export async function patiently<T>(ask: () => Promise<T>, pause = wait): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      const seconds = isBusy(error) ? error.retryAfter : undefined;
      if (seconds === undefined || seconds > SHORT_SECONDS || tries === MOST_TRIES) throw error;
      await pause(seconds * 1000 * tries * (1 + Math.random()));
    }
  }
}

function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && error.error === 'service_unavailable';
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
