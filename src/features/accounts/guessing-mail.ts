import type { MailKind } from '../../platform/mail/mail-kind.js';

/** The mail to the owner when strangers have locked the account by guessing, with ways to sign in. */
export const GUESSING_MAIL: MailKind<{ account: string; minutes: number; url: string }> = {
  name: 'siege',
  sample: { account: 'dragon_slayer', minutes: 15, url: 'https://game.example/signin' },
  requiredValues: ['account', 'url'],
};
