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
    this.#before = { its: waitedByEach(instance), ours: waited('self') };
  }

  /** A pause was this much longer than it should have been. */
  overslept(ms) {
    if (ms > STILL_MS) this.#stoodStill += ms;
  }

  get ms() {
    const { its, ours } = this.#before;
    const now = [...waitedByEach(this.#instance)].map(([pid, ms]) => ms - (its.get(pid) ?? 0));
    return Math.min(MOST_MS, Math.max(...now) + Math.max(waited('self') - ours, this.#stoodStill));
  }
}

function waitedByEach({ pids }) {
  return new Map(pids.map((pid) => [pid, waited(pid)]));
}

/** By the kernel's count for the main thread. None where there is no such count, or no such process. */
function waited(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
