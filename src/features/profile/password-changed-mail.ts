import type { MailKind } from '../../platform/mail/mail-kind.js';

/** The mail to the owner after a signed-in person changed the password. */
export const PASSWORD_CHANGED_MAIL: MailKind<
  Record<'account' | 'address' | 'time' | 'url', string>
> = {
  name: 'password-changed',
  sample: {
    account: 'dragon_slayer',
    address: '203.0.113.7',
    time: '2026-01-31 23:59 UTC',
    url: 'https://play.example.com/signin?mode=reset',
  },
  requiredValues: ['account', 'url'],
  isCapped: true,
};
