// Measures CPU starvation, which time limits exclude.
import { readFileSync } from 'node:fs';

const MAX_MS = 45_000;
/** Longer delays of this process mean that the machine stalled. */
const STALL_MS = 1000;

/** The milliseconds that an instance, and this process with its proxies, have waited for a CPU since construction. */
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

/** The main thread's time in the run queue, by /proc; 0 if unknown. */
function waitedMs(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
