// Measures CPU starvation, which time limits exclude.
import { readFileSync } from 'node:fs';

const MAX_MS = 45_000;
/** A longer delay of this process means that the machine stalled. */
const STALL_MS = 1000;

/**
 * Measures the milliseconds for which an instance, and this process with its proxies, have waited for a CPU since
 * construction.
 */
export class Starvation {
  #instance;
  #before;
  #stalledMs = 0;

  constructor(instance) {
    this.#instance = instance;
    this.#before = { pid: instance.pid, its: waitedMs(instance.pid), ours: waitedMs('self') };
  }

  /** Reports that a pause took `ms` longer than planned. */
  addDelay(ms) {
    if (ms > STALL_MS) this.#stalledMs += ms;
  }

  get ms() {
    const { its, ours, pid } = this.#before;
    const now = waitedMs(this.#instance.pid);
    const lost = this.#instance.pid === pid ? now - its : now;
    return Math.min(MAX_MS, lost + Math.max(waitedMs('self') - ours, this.#stalledMs));
  }
}

/**
 * Returns the time that the main thread has spent in the run queue, according to /proc, or 0 if the time is
 * unknown.
 */
function waitedMs(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
