import type { TIMELINE_KINDS } from '../../../src/accounts/desk/timeline-place';

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
