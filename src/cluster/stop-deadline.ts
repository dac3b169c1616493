import { log } from '../log/log.js';

/**
 * Requests in flight have 15 s, and what they leave to be written 2 s more. Whoever supervises the service is told to
 * wait for 20 s.
 */
const LONGEST_STOP_MS = 18_000;

/** Workers that are still there by then did not even see their own deadline. */
export const WORKERS_GONE_MS = LONGEST_STOP_MS + 1000;

/** Ends this process, with 1, where its stop hangs. `step` says what it is at. */
export function endInTime(step: () => string): void {
  setTimeout(() => {
    log.fatal(
      `still ${step()} ${LONGEST_STOP_MS / 1000} s after the stop signal: the process ends without that`,
    );
    process.exit(1);
  }, LONGEST_STOP_MS);
}
