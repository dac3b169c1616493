import { CODE_DIGITS } from '../../verify/code-rules.js';
import { TextField } from '../../http/validation/field.decorator.js';

/** The name of an account that exists: wider than the rule for new ones, since old names stay valid. */
export const AccountField = () => TextField({ max: 64, example: 'dragon_slayer' });

export const NewAccountField = () =>
  TextField({
    min: 4,
    max: 20,
    pattern: /^[A-Za-z0-9_]+$/,
    hint: 'must be letters, digits and _',
    example: 'dragon_slayer',
  });

export const NewPasswordField = () => TextField({ min: 6, max: 64 });

export const CodeField = () =>
  TextField({
    min: CODE_DIGITS,
    max: CODE_DIGITS,
    pattern: /^[0-9]+$/,
    hint: `must be ${CODE_DIGITS} digits`,
    example: '1234567890'.slice(0, CODE_DIGITS),
    description: 'the code that was e-mailed',
  });
