import type { MailKind } from '../../platform/mail/mail-kind.js';

/** The mail about a password reset, with the identities that can still sign in. `links` is empty if there are none. */
export const PASSWORD_RESET_MAIL = {
  name: 'reset',
  sample: {
    account: 'dragon_slayer',
    address: '203.0.113.7',
    time: '2026-11-15 12:00 UTC',
    links: 'forum 10293 (2026-11-14)',
  },
  requiredValues: ['account', 'links'],
} satisfies MailKind;
