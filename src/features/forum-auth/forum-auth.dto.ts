import { REMEMBER_DESCRIPTION } from '../accounts/dto/account-rules.decorator.js';
import { FlagField, TextField } from '../../platform/http/validation/field.decorator.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';

/**
 * A random value that lets a front end recognise that it started this login. A malformed one is refused: ignored, it
 * would protect nothing.
 */
const NonceField = (description: string) =>
  TextField({
    min: 16,
    max: 64,
    pattern: /^[A-Za-z0-9_-]+$/,
    hint: 'must be of A-Z, a-z, 0-9, _ and -',
    optional: true,
    description,
  });

export class AuthorizeQuery {
  @NonceField(
    'a fresh random value, which comes back in the fragment of `/signin`: a landing that bears another one, or none, was started elsewhere and is to be dropped',
  )
  nonce?: string;
}

export class BindDto {
  // Optional here: a missing ticket is `ticket_invalid`, not `invalid_request`.
  @TextField({ min: 0, max: 2048, optional: true, description: 'from the fragment of /signin' })
  ticket?: string;

  @NonceField('the one that the login was started with; none where it was started without')
  nonce?: string;

  @TextField({ max: 254, optional: true, description: 'with password: the account to link' })
  account?: string;

  @TextField({ max: 128, optional: true }) password?: string;

  @FlagField(REMEMBER_DESCRIPTION) remember?: boolean;
}

export interface AccountCredentials {
  account: string;
  password: string;
}

export function toCredentials({ account, password }: BindDto): AccountCredentials | undefined {
  if (account && password) return { account, password };
  if (!account && !password) return undefined;
  const field = account ? 'password' : 'account';
  throw new InvalidRequest([{ field, message: 'is needed: account and password go together' }]);
}
