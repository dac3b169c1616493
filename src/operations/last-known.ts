import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 50;
const STALE_MS = 2000;

/**
 * What a look at something said. A busy process takes many turns of its event loop for one, and whoever asks for health
 * must not take that for a failure: after 50 ms it is told what the look before said, if that is no older than 2 s.
 */
export class LastKnown {
  private last?: { at: number; said: boolean };

  constructor(private readonly look: () => Promise<boolean>) {}

  now(): Promise<boolean> {
    const looking = this.lookAgain();
    if (!this.last || performance.now() - this.last.at > STALE_MS) return looking;
    return Promise.race([looking, pause(PATIENCE_MS, this.last.said, { ref: false })]);
  }

  private async lookAgain(): Promise<boolean> {
    const said = await this.look();
    this.last = { at: performance.now(), said };
    return said;
  }
}
