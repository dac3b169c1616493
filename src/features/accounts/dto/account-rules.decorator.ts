import { CODE_DIGITS } from '../../verify/code-rules.js';
import { TextField } from '../../../platform/http/validation/field.decorator.js';

/** An existing account name. Wider than the rule for new names: names of the previous generation stay valid. */
export const AccountField = () => TextField({ max: 64, example: 'dragon_slayer' });

/** The same or, if no account has that name, the account's mailbox. */
export const LoginNameField = () =>
  TextField({
    max: 254,
    example: 'dragon_slayer',
    description: "the account's name or, where nobody has that name, its e-mail address",
  });

export const REMEMBER_DESCRIPTION =
  'stay signed in: the answer brings a cookie for `/api/session/refresh`, where `remember.enabled` of the configuration';

export const NEW_ACCOUNT_RULES = {
  min: 4,
  max: 20,
  pattern: /^[A-Za-z0-9_]+$/,
  hint: 'must be letters, digits and _',
  example: 'dragon_slayer',
};
export const NewAccountField = () => TextField(NEW_ACCOUNT_RULES);

export const NEW_PASSWORD_RULES = { min: 6, max: 64 };
export const NewPasswordField = () => TextField(NEW_PASSWORD_RULES);

export const CodeField = () =>
  TextField({
    min: CODE_DIGITS,
    max: CODE_DIGITS,
    pattern: /^[0-9]+$/,
    hint: `must be ${CODE_DIGITS} digits`,
    example: '1234567890'.slice(0, CODE_DIGITS),
    description: 'the code that was e-mailed',
  });
