import { ApiError } from '../api/api-error';

/**
 * Passkeys are unavailable in old browsers, and on a site that was opened by its IP address, because a passkey
 * belongs to a domain.
 */
export const canUsePasskeys =
  'PublicKeyCredential' in window &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  /[a-z]$/i.test(location.hostname);

type PasskeyAnswer = Record<string, unknown>;

export function createPasskey(options: object): Promise<PasskeyAnswer> {
  const json = options as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
  return answerOf(navigator.credentials.create({ publicKey }));
}

export function usePasskey(options: object): Promise<PasskeyAnswer> {
  const json = options as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
  return answerOf(navigator.credentials.get({ publicKey }));
}

async function answerOf(asked: Promise<Credential | null>): Promise<PasskeyAnswer> {
  try {
    return { ...((await asked) as PublicKeyCredential).toJSON() };
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    // Browsers do not distinguish between a player who cancels and a player without a passkey.
    const isKnown = error.name === 'InvalidStateError';
    throw new ApiError(isKnown ? 'passkey_exists' : 'passkey_unused');
  }
}
