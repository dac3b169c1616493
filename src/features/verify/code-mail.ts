import { preferredLanguage } from '../../platform/http/request/request-context.js';
import type { MailKind } from '../../platform/mail/mail-templates.js';
import { CODE_DIGITS, CODE_VALID_SECONDS } from './code-store.js';

export const CODE_PURPOSES = ['register', 'reset', 'email'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

/**
 * `account` is the account's name, for players who forgot it. It is empty if the e-mail address has no account. The
 * e-mail is in the languages whose value is 1, and says for which purpose the code was requested.
 */
export const CODE_MAIL = {
  name: 'code',
  sample: {
    code: '8'.repeat(CODE_DIGITS),
    seconds: CODE_VALID_SECONDS,
    minutes: CODE_VALID_SECONDS / 60,
    account: 'dragon_slayer',
    register: 0,
    reset: 1,
    change: 0,
    zh: 1,
    en: 1,
  },
  requiredValues: ['code'],
  isRoutine: true,
} satisfies MailKind;

/** Chooses the text by the purpose of the code and by the `Accept-Language` of the request. */
export function codeMailText(purpose: CodePurpose | undefined, languages?: string) {
  const language = preferredLanguage(languages);
  const is = (condition: boolean) => (condition ? 1 : 0);
  return {
    register: is(purpose === 'register'),
    reset: is(purpose === 'reset'),
    change: is(purpose === 'email'),
    zh: is(language !== 'en'),
    en: is(language !== 'zh'),
  };
}

export function codeMailValues(
  code: string,
  account: string,
  text: ReturnType<typeof codeMailText>,
) {
  const [seconds, minutes] = [CODE_VALID_SECONDS, CODE_VALID_SECONDS / 60];
  return { code, seconds, minutes, account, ...text };
}
