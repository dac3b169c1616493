/** Checks a field against a rule of the service before sending. Returns the name of the problem, if there is one. */
export type Rule = (value: string) => string | undefined;

export const newAccountRule: Rule = (value) =>
  /^[A-Za-z0-9_]{4,20}$/.test(value) ? undefined : 'account';

/** The service also refuses common passwords, whose list is too long for a page. */
export const newPasswordRule =
  (least: number, account: string, email: string): Rule =>
  (value) => {
    const { length } = Array.from(value);
    if (length < least || length > 64) return 'password';
    const password = value.toLowerCase();
    if (/^(.)\1*$/su.test(password)) return 'password_repeats';
    const contains = (name: string) =>
      name.trim().length > 3 && password.includes(name.trim().toLowerCase());
    if (contains(account)) return 'password_account';
    return contains(email.replace(/@.*/, '')) ? 'password_mailbox' : undefined;
  };

export const emailRule: Rule = (value) => {
  if (value === '') return 'missing_email';
  const isAddress = /^[\w+~&=#'.-]+@[a-z\d.-]+\.[a-z\d-]+$/i.test(value) && value.length <= 254;
  return isAddress ? undefined : 'email';
};

/** The service sends the number of digits. Until it arrives, only the service can check a code. */
export const codeRule =
  (digits: number | undefined): Rule =>
  (value) => {
    if (value === '') return 'missing';
    const isCode = digits === undefined || (/^\d+$/.test(value) && value.length === digits);
    return isCode ? undefined : 'code';
  };

/** Returns a code without spaces and hyphens, and with plain instead of full-width digits. */
export function plainCode(typed: string): string {
  return typed.normalize('NFKC').replace(/[\s-]/g, '');
}

export const givenRule: Rule = (value) => (value === '' ? 'missing' : undefined);
