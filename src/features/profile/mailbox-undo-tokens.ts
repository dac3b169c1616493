import { createSecretKey, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Environment } from '../../platform/config/environment.js';

export const UNDO_HOURS = 72;

export interface UndoLink {
  playerId: number;
  version: number;
}

/**
 * Signs the undo links in mails with a separate key, so that they and other tokens are never accepted for each other.
 */
@Injectable()
export class MailboxUndoTokens {
  private readonly jwt: JwtService;

  constructor({ JWT_SECRET }: Environment) {
    const key = hkdfSync('sha256', JWT_SECRET, '', 'gatehouse mailbox undo', 32);
    this.jwt = new JwtService({
      secret: createSecretKey(new Uint8Array(key)),
      signOptions: { algorithm: 'HS256', expiresIn: `${UNDO_HOURS}h` },
      verifyOptions: { algorithms: ['HS256'] },
    });
  }

  sign({ playerId, version }: UndoLink): string {
    return this.jwt.sign({ playerId, version });
  }

  /** Undefined if it is forged or too old. */
  verify(token: string): UndoLink | undefined {
    try {
      return this.jwt.verify<UndoLink & object>(token);
    } catch {
      return undefined;
    }
  }
}
