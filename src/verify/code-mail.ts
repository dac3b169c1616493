import type { MailKind } from '../mail/mail-kind.js';
import { CODE_DIGITS, CODE_VALID_SECONDS } from './code-rules.js';

/** The mail that carries a code. */
export const CODE_MAIL: MailKind<{ code: string; seconds: number }> = {
  name: 'code',
  sample: { code: '8'.repeat(CODE_DIGITS), seconds: CODE_VALID_SECONDS },
  mustShow: ['code'],
};
