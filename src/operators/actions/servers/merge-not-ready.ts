import { ActionRefused } from '../action-refused.js';

/** Something has to be done before a merge: the message says what, and each caller knows how it is done there. */
export class MergeNotReady extends ActionRefused {
  constructor(
    open: string[],
    /** Servers that first have to be in maintenance. */
    readonly running: number[],
  ) {
    super(`not merged: ${open.join('; ')}`);
  }
}
