import { ActionRefused } from '../action-refused.js';

/** A merge is not possible yet: the message says what must be done first, and each caller knows how. */
export class MergeNotReady extends ActionRefused {
  constructor(
    open: string[],
    /** Servers that must be in maintenance first. */
    readonly running: number[],
  ) {
    super(`nothing changed: ${open.join('; ')}`);
  }
}
