import { log } from '../../log/log.js';

/** Requests in flight have 15 s, and their pending writes 2 s more. Supervisors are configured to wait for 20 s. */
const STOP_TIMEOUT_MS = 18_000;

/** Ends this process with 1 if its stop hangs. `step` returns the current step. */
export function enforceStopDeadline(step: () => string): void {
  setTimeout(() => {
    log.fatal(
      `still ${step()} ${STOP_TIMEOUT_MS / 1000} s after the stop signal: exiting without finishing it`,
    );
    process.exit(1);
  }, STOP_TIMEOUT_MS);
}
