import { ActRefused } from '../../journal/act-refused.js';

/** Something has to be done before a merge: the message says what, and each caller knows how it is done there. */
export class MergeTooEarly extends ActRefused {
  constructor(
    open: string[],
    /** Zones that first have to be in maintenance. */
    readonly running: number[],
  ) {
    super(`not merged: ${open.join('; ')}`);
  }
}
