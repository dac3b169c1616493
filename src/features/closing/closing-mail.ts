import type { MailKind } from '../../platform/mail/mail-kind.js';

/** Tells the owner when the account is closed, and how to keep it. */
export const CLOSING_MAIL = {
  name: 'closing',
  sample: {
    account: 'dragon_slayer',
    closing: '2026-02-07 23:59 UTC',
    address: '203.0.113.7',
    time: '2026-01-31 23:59 UTC',
    url: 'https://play.example.com/account',
  },
  requiredValues: ['account', 'closing', 'url'],
} satisfies MailKind;
