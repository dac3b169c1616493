import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import { FlagField, TextField } from '../../platform/http/validation/field.decorator.js';
import { REMEMBER_DESCRIPTION } from '../accounts/accounts.dto.js';

/**
 * Declares a random value by which a front end recognises a login that it started itself. A malformed nonce is
 * rejected, because ignoring it would remove this protection.
 */
const NonceField = (description: string) =>
  TextField({
    min: 16,
    max: 64,
    pattern: /^[A-Za-z0-9_-]+$/,
    hint: 'must consist of A-Z, a-z, 0-9, _ and -',
    optional: true,
    description,
  });

export class AuthorizeQuery {
  @NonceField(
    'a new random value, which is returned in the URL fragment of `/signin`; if the fragment has another nonce or none, another browser may have started the login, so discard its ticket',
  )
  nonce?: string;
}

export class BindDto {
  // The field is optional, because a missing ticket must lead to `ticket_invalid` instead of `invalid_request`.
  @TextField({
    min: 0,
    max: 2048,
    optional: true,
    description: 'from the URL fragment of `/signin`',
  })
  ticket?: string;

  @NonceField('the nonce that the login was started with, if any')
  nonce?: string;

  @TextField({
    max: 254,
    optional: true,
    description: 'the account to link, sent together with `password`',
  })
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
  throw new InvalidRequest([
    { field, message: 'is required, because account and password must be sent together' },
  ]);
}
