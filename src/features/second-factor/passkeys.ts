import { Injectable, Logger } from '@nestjs/common';
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import { DataSource, type EntityManager, LessThan } from 'typeorm';
import { SIGNED_SECONDS, SignedTokens } from '../../platform/auth/signed-tokens.js';
import { Environment } from '../../platform/config/environment.js';
import { SingleUseService } from '../links/single-use.service.js';
import { PlayerPasskey } from './second-factor.entities.js';

/** `second` is the second step of a sign-in, and `login` is a passkey sign-in without a password. */
export type PasskeyPurpose = 'register' | 'login' | 'second' | 'confirm';

/** Holds an unverified WebAuthn response as the browser sent it. */
export type PasskeyResponse = Record<string, unknown>;

@Injectable()
export class Passkeys {
  private readonly logger = new Logger(Passkeys.name);
  readonly origin: string;
  readonly rpID: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: SignedTokens,
    private readonly singleUse: SingleUseService,
    { FRONTEND_URL }: Environment,
  ) {
    const { origin, hostname } = new URL(FRONTEND_URL);
    this.origin = origin;
    this.rpID = hostname;
  }

  /**
   * Issues a challenge that works once, on any instance, for its purpose and account. Challenges are signed, and are
   * stored only when used, because otherwise anyone could fill a table by requesting them. Pass null as `playerId` for
   * a passkey sign-in, where the passkey identifies the player.
   */
  issueChallenge(purpose: PasskeyPurpose, playerId: number | null) {
    return new TextEncoder().encode(this.tokens.sign(`passkey ${purpose} ${playerId}`, {}));
  }

  async consumeChallenge(
    challenge: string,
    purpose: PasskeyPurpose,
    playerId: number | null,
  ): Promise<boolean> {
    const text = Buffer.from(challenge, 'base64url').toString();
    const signed = this.tokens.verify(`passkey ${purpose} ${playerId}`, text);
    return signed !== undefined && this.singleUse.use(`passkey ${signed.id}`, signed.expiresAt);
  }

  /** Returns the options for the browser. Without a player, the browser offers all its passkeys for this site. */
  async requestOptions(
    purpose: PasskeyPurpose,
    playerId: number | null,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return generateAuthenticationOptions({
      rpID: this.rpID,
      challenge: this.issueChallenge(purpose, playerId),
      timeout: SIGNED_SECONDS * 1000,
      userVerification: 'required',
      allowCredentials: playerId === null ? undefined : await this.descriptorsOf(playerId),
    });
  }

  async descriptorsOf(playerId: number) {
    const passkeys = await this.dataSource.manager.findBy(PlayerPasskey, { playerId });
    return passkeys.map(({ credentialId: id, transports }) => ({
      id,
      transports: transports.split(',').filter(Boolean) as AuthenticatorTransport[],
    }));
  }

  /** Returns the id of the player whose passkey the response names. The response is not verified yet. */
  async findOwner(response: PasskeyResponse): Promise<number | undefined> {
    const credentialId = credentialIdOf(response);
    if (credentialId === undefined) return undefined;
    return (await this.dataSource.manager.findOneBy(PlayerPasskey, { credentialId }))?.playerId;
  }

  /**
   * Returns a function that records the use of the player's passkey, or undefined if the response is invalid. The
   * challenge is used up in either case.
   */
  async match(playerId: number, response: PasskeyResponse, purpose: PasskeyPurpose) {
    const challenge = challengeOf(response);
    const owner = purpose === 'login' ? null : playerId;
    if (!challenge || !(await this.consumeChallenge(challenge, purpose, owner))) return undefined;
    const credentialId = credentialIdOf(response);
    if (credentialId === undefined) return undefined;
    const passkey = await this.dataSource.manager.findOneBy(PlayerPasskey, {
      playerId,
      credentialId,
    });
    if (!passkey) return undefined;
    const signCount = await this.verify(passkey, response, challenge);
    if (signCount === undefined) return undefined;
    // A signature count that did not increase indicates a cloned authenticator. Most passkeys do not count and send 0.
    const unused = { id: passkey.id, signCount: signCount === 0 ? 0 : LessThan(signCount) };
    const used = { signCount, usedAt: new Date() };
    return async (manager: EntityManager) =>
      (await manager.update(PlayerPasskey, unused, used)).affected === 1;
  }

  private async verify(
    { playerId, credentialId: id, publicKey, signCount: counter }: PlayerPasskey,
    response: PasskeyResponse,
    expectedChallenge: string,
  ): Promise<number | undefined> {
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge,
        expectedOrigin: this.origin,
        expectedRPID: this.rpID,
        requireUserVerification: true,
        credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
      });
      return verified ? authenticationInfo.newCounter : undefined;
    } catch (error) {
      this.logger.warn(`a passkey of player ${playerId} was refused: ${(error as Error).message}`);
      return undefined;
    }
  }
}

/** Returns the id only if it fits into the column, because MySQL cannot compare other values with the column. */
export function credentialIdOf({ id }: PasskeyResponse): string | undefined {
  return typeof id === 'string' && /^[\w-]{1,1364}$/.test(id) ? id : undefined;
}

/**
 * Returns the challenge that the response refers to. Returns undefined if a field is an object instead of text, because
 * decoders would trust the object's `length` and allocate gigabytes.
 */
export function challengeOf({ response }: PasskeyResponse): string | undefined {
  try {
    const { transports: _, ...fields } = Object(response) as Record<string, unknown>;
    if (Object.values(fields).some((field) => field !== null && typeof field === 'object'))
      return undefined;
    const json = Buffer.from(String(fields.clientDataJSON), 'base64url').toString();
    const { challenge } = JSON.parse(json) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}
