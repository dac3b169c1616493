import { createSecretKey, hkdfSync, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { EntityManager } from 'typeorm';
import { Environment } from '../../platform/config/environment.js';
import { UsedTokenStore } from '../links/used-token-store.js';
import { SecondFactorInvalid } from './second-factor.errors.js';

const LIFETIME_SECONDS = 5 * 60;
const ISSUER = 'gatehouse-second-step';

/** Which call gave the ticket: `forum` signs in by a link, `bind` links by password. */
export type SignInPurpose = 'login' | 'forum' | 'bind' | 'reset';

/** A forum ticket that the second step uses up. */
export interface PendingForumTicket {
  id: string;
  expiresAt: number;
  connectId: string;
}

export interface NewTicket {
  purpose: SignInPurpose;
  playerId: number;
  /** Of the account: a ticket from before a new password is void. */
  ver: number;
  remember?: boolean;
  forum?: PendingForumTicket;
}

export interface SecondStepTicket extends NewTicket {
  id: string;
  expiresAt: Date;
}

/** A ticket proves the first step of a sign-in, for five minutes and one success, on any instance. */
@Injectable()
export class SecondStepTickets {
  private readonly jwt: JwtService;

  constructor(
    { JWT_SECRET }: Environment,
    private readonly usedTokens: UsedTokenStore,
  ) {
    const key = hkdfSync('sha256', JWT_SECRET, '', 'gatehouse second step', 32);
    this.jwt = new JwtService({
      secret: createSecretKey(new Uint8Array(key)),
      signOptions: { algorithm: 'HS256', expiresIn: LIFETIME_SECONDS, issuer: ISSUER },
      verifyOptions: { algorithms: ['HS256'], issuer: ISSUER },
    });
  }

  issue(ticket: NewTicket): string {
    return this.jwt.sign({ ticket }, { jwtid: randomUUID() });
  }

  /** Throws if it is forged or too old. */
  verify(text: string): SecondStepTicket {
    try {
      const { jti, exp, ticket } = this.jwt.verify<{
        jti: string;
        exp: number;
        ticket: NewTicket;
      }>(text);
      return { ...ticket, id: jti, expiresAt: new Date(exp * 1000) };
    } catch {
      throw new SecondFactorInvalid();
    }
  }

  /** In the transaction of the sign-in: a rollback keeps the ticket valid. */
  async consume(manager: EntityManager, { id, expiresAt }: SecondStepTicket): Promise<void> {
    if (!(await this.usedTokens.use(`second step ${id}`, expiresAt, manager)))
      throw new SecondFactorInvalid();
  }
}
