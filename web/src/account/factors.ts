import type { FactorMethod } from '../api/api-error';
import type { Profile } from '../api/contract';

/** Returns the methods with which the account can confirm an action. A recovery code works only for signing in. */
export function methodsOf({ two_factor }: Profile): FactorMethod[] {
  const { totp, passkeys } = two_factor;
  return [
    ...(totp ? (['totp'] as const) : []),
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
  ];
}
