// The clock of one instance, which the harness puts wrong and right again.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const LOADED = fileURLToPath(new URL('stepped-clock.mjs', import.meta.url));

// Longer than an instance has for its start.
const FOLLOWED_WITHIN_MS = 120_000;

export class Clock {
  #file;

  constructor(file) {
    this.#file = file;
    this.#write(0);
  }

  get env() {
    return { NODE_OPTIONS: `--import ${LOADED}`, TORTURE_CLOCK: this.#file };
  }

  /** Ends once the instance goes by it. One that stands still or is started anew may take its time. */
  async step(ms, pidOf) {
    this.#write(ms);
    const deadline = performance.now() + FOLLOWED_WITHIN_MS;
    while (!this.#isFollowedBy(pidOf(), ms)) {
      if (performance.now() > deadline) throw new Error('an instance does not go by its clock');
      await pause(10);
    }
  }

  #write(ms) {
    writeFileSync(`${this.#file}-new`, String(ms));
    renameSync(`${this.#file}-new`, this.#file);
  }

  #isFollowedBy(pid, ms) {
    const told = `${this.#file}-of-${pid}`;
    return existsSync(told) && readFileSync(told, 'utf8') === String(ms);
  }
}
