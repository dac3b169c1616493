import type { TIMELINE_KINDS } from '../../../src/operators/actions/players/timeline-cursor';

/** Events of the same time are sorted in this order. */
export const KINDS: typeof TIMELINE_KINDS = [
  'login',
  'session',
  'entry',
  'withdrawal',
  'link',
  'mail',
  'change',
  'refusal',
  'act',
];
