import type { TIMELINE_KINDS } from '../../../src/operators/actions/players/timeline-cursor';

/** The order in which the desk sorts events of the same time. */
export const KINDS: typeof TIMELINE_KINDS = [
  'login',
  'session',
  'entry',
  'withdrawal',
  'link',
  'mail',
  'act',
];
