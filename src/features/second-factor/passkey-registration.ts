import { Injectable, Logger } from '@nestjs/common';
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import type { PlayerIdentity } from '../../platform/auth/identity.service.js';
import { SIGNED_SECONDS } from '../../platform/auth/signed-tokens.js';
import { currentDate } from '../../platform/database/database-clock.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';
import { FactorChanges } from './factor-changes.js';
import { challengeOf, type PasskeyResponse, Passkeys } from './passkeys.js';
import { PlayerPasskey } from './second-factor.entities.js';

const MOST_PASSKEYS = 10;
const RP_NAME = 'Gatehouse';
/** Every authenticator supports EdDSA, ES256 or RS256. */
const ALGORITHMS = [-8, -7, -257];
const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** Adds and removes passkeys of the caller's account. */
@Injectable()
export class PasskeyRegistration {
  private readonly logger = new Logger(PasskeyRegistration.name);

  constructor(
    private readonly passkeys: Passkeys,
    private readonly changes: FactorChanges,
  ) {}

  async options(me: PlayerIdentity): Promise<PublicKeyCredentialCreationOptionsJSON> {
    await this.changes.requireProofForAdding(me);
    return generateRegistrationOptions({
      rpName: RP_NAME,
      rpID: this.passkeys.rpID,
      userID: new TextEncoder().encode(String(me.id)),
      userName: me.account,
      userDisplayName: me.account,
      challenge: this.passkeys.issueChallenge('register', me.id),
      timeout: SIGNED_SECONDS * 1000,
      excludeCredentials: await this.passkeys.descriptorsOf(me.id),
      supportedAlgorithmIDs: ALGORITHMS,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /** Also returns recovery codes if the passkey is the account's first factor. */
  async register(
    me: PlayerIdentity,
    name: string,
    response: PasskeyResponse,
  ): Promise<{ passkey: PlayerPasskey; recoveryCodes: string[] }> {
    await this.changes.requireProofForAdding(me);
    const { id, publicKey, counter, transports } = await this.verify(me, response);
    const passkey = {
      playerId: me.id,
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      signCount: counter,
      // The browser reports the transports, and they are not verified.
      transports: known(transports).join(),
      name,
      createdAt: currentDate(),
      usedAt: null,
    };
    try {
      return await this.changes.inLockedTransaction(me, async (manager) => {
        if ((await manager.countBy(PlayerPasskey, { playerId: me.id })) >= MOST_PASSKEYS)
          throw refused(`there are already ${MOST_PASSKEYS} passkeys; remove one first`);
        const inserted = await manager.save(PlayerPasskey, passkey);
        return { passkey: inserted, recoveryCodes: await this.changes.added(manager, me.id) };
      });
    } catch (error) {
      if (isDuplicateKey(error)) throw refused('is already registered');
      throw error;
    }
  }

  async remove(me: PlayerIdentity, id: string): Promise<PlayerPasskey | undefined> {
    return this.changes.inTransaction(me, async (manager) => {
      const own = { id: /^[1-9]\d{0,8}$/.test(id) ? Number(id) : 0, playerId: me.id };
      const passkey = await manager.findOneBy(PlayerPasskey, own);
      if (!passkey) return undefined;
      await manager.delete(PlayerPasskey, own);
      await this.changes.removed(manager, me.id);
      return passkey;
    });
  }

  private async verify(
    { id: playerId }: PlayerIdentity,
    response: PasskeyResponse,
  ): Promise<WebAuthnCredential> {
    const challenge = challengeOf(response);
    if (!challenge || !(await this.passkeys.consumeChallenge(challenge, 'register', playerId)))
      throw refused('does not match an unused challenge');
    try {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: response as unknown as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: this.passkeys.origin,
        expectedRPID: this.passkeys.rpID,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (verified && fits(registrationInfo.credential)) return registrationInfo.credential;
    } catch (error) {
      this.logger.warn(
        `player ${playerId}: the new passkey was refused: ${(error as Error).message}`,
      );
    }
    throw refused('could not be verified');
  }
}

/** Returns whether the id and the public key fit into their columns in base64url. */
function fits({ id, publicKey }: WebAuthnCredential): boolean {
  return id.length <= 1364 && publicKey.length <= 1536;
}

function known(transports: unknown): string[] {
  return Array.isArray(transports) ? TRANSPORTS.filter((one) => transports.includes(one)) : [];
}

function refused(message: string): InvalidRequest {
  return new InvalidRequest([{ field: 'response', message }]);
}
