/** The service's rules for a new account, checked before sending. Each returns the name of a problem. */
export type Rule = (value: string) => string | undefined;

export const newAccountRule: Rule = (value) =>
  /^[A-Za-z0-9_]{4,20}$/.test(value) ? undefined : 'account';

export const newPasswordRule: Rule = (value) => {
  const { length } = Array.from(value);
  return length >= 6 && length <= 64 ? undefined : 'password';
};

export const emailRule: Rule = (value) =>
  /^[\w+~&=#'.-]+@[a-z\d.-]+\.[a-z\d-]+$/i.test(value) && value.length <= 254 ? undefined : 'email';

/** The service sends the number of digits; until then only the service can judge a code. */
export const codeRule =
  (digits: number | undefined): Rule =>
  (value) => {
    if (value === '') return 'missing';
    const isCode = digits === undefined || (/^\d+$/.test(value) && value.length === digits);
    return isCode ? undefined : 'code';
  };

/** A code as it is sent: without the blanks and full-width digits of mails and keyboards. */
export function plainCode(typed: string): string {
  return typed.normalize('NFKC').replace(/[\s-]/g, '');
}

export const givenRule: Rule = (value) => (value === '' ? 'missing' : undefined);
