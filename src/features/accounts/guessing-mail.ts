import type { MailKind } from '../../platform/mail/mail-kind.js';

/** Tells the owner that strangers have locked the account by guessing, and the way in. */
export const GUESSING_MAIL: MailKind<{ account: string; minutes: number; url: string }> = {
  name: 'siege',
  sample: { account: 'dragon_slayer', minutes: 15, url: 'https://game.example/signin' },
  requiredValues: ['account', 'url'],
};
