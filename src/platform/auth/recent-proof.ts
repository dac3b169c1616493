import { SignInAgain } from './auth.errors.js';
import type { PlayerIdentity } from './identity.service.js';

export const MINUTE_MS = 60_000;

/** How long a proof counts for changes to the account. */
export const RECENT_PROOF_MINUTES = 10;

/** For acts that need more than a token, which may be left open on a screen. */
export function requireRecentProof(
  { provedAt }: PlayerIdentity,
  minutes = RECENT_PROOF_MINUTES,
): void {
  if (!isRecent(provedAt, minutes)) throw new SignInAgain();
}

/** The same where the password is enough, even if the account has a second factor. */
export function requireRecentConfirmation({ confirmedAt }: PlayerIdentity): void {
  if (!isRecent(confirmedAt, RECENT_PROOF_MINUTES)) throw new SignInAgain();
}

function isRecent(time: Date, minutes: number): boolean {
  return time.getTime() > Date.now() - minutes * MINUTE_MS;
}
