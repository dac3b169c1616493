import { ApiError } from '../api/api-error';

/** Not in old browsers, and not on a site that is opened by its IP address: a passkey belongs to a domain. */
export const canUsePasskeys =
  'PublicKeyCredential' in window &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  /[a-z]$/i.test(location.hostname);

/** A WebAuthn response as JSON. */
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
    // Browsers do not tell a player who cancels from one who has no passkey.
    const isKnown = error.name === 'InvalidStateError';
    throw new ApiError(isKnown ? 'passkey_exists' : 'passkey_unused');
  }
}
