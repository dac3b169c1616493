import { TextField } from '../../http/fields.js';

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
    min: 6,
    max: 6,
    pattern: /^[0-9]{6}$/,
    hint: 'must be 6 digits',
    example: '123456',
    description: 'the code that was e-mailed',
  });
