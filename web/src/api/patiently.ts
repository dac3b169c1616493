import { ApiError } from './api-error';

const MOST_TRIES = 3;
// A busy service asks for a wait of 1 or 2 seconds. A longer wait means another problem, which the player should
// see.
const SHORT_SECONDS = 2;

/**
 * Retries a request that a busy service turned away, if a retry is safe. The delay is random, so that players do not
 * all retry at the same time.
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
