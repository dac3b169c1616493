import type { TIMELINE_KINDS } from '../../../src/operators/actions/players/timeline-cursor';

/** As the desk orders events of one moment. */
export const KINDS: typeof TIMELINE_KINDS = [
  'login',
  'session',
  'entry',
  'withdrawal',
  'link',
  'mail',
  'act',
];
