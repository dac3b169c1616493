import { Injectable, Logger } from '@nestjs/common';
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import { DataSource, LessThan } from 'typeorm';
import { SIGNED_SECONDS } from '../../platform/auth/signed-tokens.js';
import { Environment } from '../../platform/config/environment.js';
import { PasskeyChallenges, type PasskeyPurpose } from './passkey-challenges.js';
import { PlayerPasskey } from './player-passkey.entity.js';
import type { UseFactor } from './use-factor.js';

/** A WebAuthn response as the browser sends it: not checked yet. */
export type PasskeyResponse = Record<string, unknown>;

/** Passkeys of players: what browsers are asked, and whether an answer is right. */
@Injectable()
export class Passkeys {
  private readonly logger = new Logger(Passkeys.name);
  readonly origin: string;
  readonly rpID: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly challenges: PasskeyChallenges,
    { FRONTEND_URL }: Environment,
  ) {
    const { origin, hostname } = new URL(FRONTEND_URL);
    this.origin = origin;
    this.rpID = hostname;
  }

  /** Without a player, the browser offers all passkeys that it has for this site. */
  async requestOptions(
    purpose: PasskeyPurpose,
    playerId: number | null,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return generateAuthenticationOptions({
      rpID: this.rpID,
      challenge: this.challenges.issue(purpose, playerId),
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

  /** The account of the passkey that the response names. It proves nothing yet. */
  async findOwner(response: PasskeyResponse): Promise<number | undefined> {
    const credentialId = credentialIdOf(response);
    if (credentialId === undefined) return undefined;
    return (await this.dataSource.manager.findOneBy(PlayerPasskey, { credentialId }))?.playerId;
  }

  /**
   * Returns a function that counts the use of the player's passkey; undefined if the response answers no open challenge
   * of this purpose. The challenge is used up either way.
   */
  async match(
    playerId: number,
    response: PasskeyResponse,
    purpose: PasskeyPurpose,
  ): Promise<UseFactor | undefined> {
    const challenge = challengeOf(response);
    const owner = purpose === 'login' ? null : playerId;
    if (!challenge || !(await this.challenges.consume(challenge, purpose, owner))) return undefined;
    const credentialId = credentialIdOf(response);
    if (credentialId === undefined) return undefined;
    const passkey = await this.dataSource.manager.findOneBy(PlayerPasskey, {
      playerId,
      credentialId,
    });
    if (!passkey) return undefined;
    const signCount = await this.verify(passkey, response, challenge);
    if (signCount === undefined) return undefined;
    // Of two answers with the same count, one authenticator is a copy. Most passkeys do not count, and say 0.
    const unused = { id: passkey.id, signCount: signCount === 0 ? 0 : LessThan(signCount) };
    const used = { signCount, usedAt: new Date() };
    return async (manager) => (await manager.update(PlayerPasskey, unused, used)).affected === 1;
  }

  /** The new signature count; undefined if anything in the response is wrong. */
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

/** Only what fits into the column: MySQL cannot compare the rest with it. */
export function credentialIdOf({ id }: PasskeyResponse): string | undefined {
  return typeof id === 'string' && /^[\w-]{1,1364}$/.test(id) ? id : undefined;
}

/**
 * The challenge that the response claims to answer. None if a field is an object: decoders take its `length` for true,
 * and would reserve gigabytes.
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
