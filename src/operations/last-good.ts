import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 50;
const STALE_MS = 2000;

/**
 * Whether all is well with something. A busy process takes many turns of its event loop for one look, and whoever asks
 * for health must not take that for a failure: after 50 ms a look that found all well counts, if it is no older than 2 s.
 */
export class LastGood {
  private goodAt = -Infinity;

  constructor(private readonly look: () => Promise<boolean>) {}

  now(): Promise<boolean> {
    const looking = this.lookAgain();
    if (performance.now() - this.goodAt > STALE_MS) return looking;
    return Promise.race([looking, pause(PATIENCE_MS, true, { ref: false })]);
  }

  private async lookAgain(): Promise<boolean> {
    const isGood = await this.look();
    this.goodAt = isGood ? performance.now() : -Infinity;
    return isGood;
  }
}
