import type { FactorMethod } from '../api/api-error';
import type { Profile } from '../api/contract';

/** What the account can confirm an action with. A recovery code serves to sign in only. */
export function methodsOf({ two_factor }: Profile): FactorMethod[] {
  const { totp, passkeys } = two_factor;
  return [
    ...(totp ? (['totp'] as const) : []),
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
  ];
}
