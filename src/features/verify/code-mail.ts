import type { MailKind } from '../../platform/mail/mail-kind.js';
import { CODE_DIGITS, CODE_VALID_SECONDS } from './code-rules.js';

/** The mail that carries a code. `account` is the account of the mailbox, for players who forgot its name, or empty. */
export const CODE_MAIL: MailKind<{ code: string; seconds: number; account: string }> = {
  name: 'code',
  sample: { code: '8'.repeat(CODE_DIGITS), seconds: CODE_VALID_SECONDS, account: 'dragon_slayer' },
  requiredValues: ['code'],
};
