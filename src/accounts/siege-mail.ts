import type { MailKind } from '../mail/mail-kind.js';

/** Tells the owner that strangers have locked the account by guessing, and the way in. */
export const SIEGE_MAIL: MailKind<{ account: string; minutes: number; url: string }> = {
  name: 'siege',
  sample: { account: 'dragon_slayer', minutes: 15, url: 'https://game.example/signin' },
  mustShow: ['account', 'url'],
};
