// Steps the clock of one instance. stepped-clock.mjs applies the steps inside the instance.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PRELOAD = fileURLToPath(new URL('stepped-clock.mjs', import.meta.url));

// An instance starts within this time.
const APPLIED_WITHIN_MS = 120_000;

export class Clock {
  #file;

  constructor(file) {
    this.#file = file;
    this.#write(0);
  }

  get env() {
    return { NODE_OPTIONS: `--import ${PRELOAD}`, TORTURE_CLOCK: this.#file };
  }

  /** Resolves once the instance has applied the step. A freeze or a restart may delay this. */
  async step(ms, pidOf) {
    this.#write(ms);
    const deadline = performance.now() + APPLIED_WITHIN_MS;
    while (!this.#isAppliedBy(pidOf(), ms)) {
      if (performance.now() > deadline) throw new Error('an instance did not step its clock');
      await pause(10);
    }
  }

  #write(ms) {
    writeFileSync(`${this.#file}-new`, String(ms));
    renameSync(`${this.#file}-new`, this.#file);
  }

  #isAppliedBy(pid, ms) {
    const confirmation = `${this.#file}-of-${pid}`;
    return existsSync(confirmation) && readFileSync(confirmation, 'utf8') === String(ms);
  }
}
