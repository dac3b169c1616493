// How long a process wanted to run and got no core, which a limit on time does not count.
import { readFileSync } from 'node:fs';

/** Nobody is excused for longer. */
const MOST_MS = 45_000;
/** This process stands still for as long as this only where the machine does. */
const STILL_MS = 1000;

/** Milliseconds that an instance lost since now, and this process, in which its proxies are. */
export class Starvation {
  #instance;
  #before;
  #stoodStill = 0;

  constructor(instance) {
    this.#instance = instance;
    this.#before = { pid: instance.pid, its: waited(instance.pid), ours: waited('self') };
  }

  /** A pause was this much longer than it should have been. */
  overslept(ms) {
    if (ms > STILL_MS) this.#stoodStill += ms;
  }

  get ms() {
    const { its, ours, pid } = this.#before;
    const now = waited(this.#instance.pid);
    const lost = this.#instance.pid === pid ? now - its : now;
    return Math.min(MOST_MS, lost + Math.max(waited('self') - ours, this.#stoodStill));
  }
}

/** By the kernel's count for the main thread. None where there is no such count, or no such process. */
function waited(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
