import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';

export const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;
export const TOKEN_ISSUER = 'gatehouse';

export interface TokenOwner {
  id: number;
  account: string;
  ver: number;
}

@Injectable()
export class TokenService {
  constructor(private readonly jwt: JwtService) {}

  sign({ id, account, ver }: TokenOwner): string {
    return this.jwt.sign({ sub: String(id), account, ver, jti: randomUUID() });
  }

  /** What a genuine, unexpired token of ours says, or undefined. Whether it is still in force is not decided here. */
  read(token: string): TokenOwner | undefined {
    try {
      const { sub, account, ver, exp } = this.jwt.verify<Record<string, unknown>>(token);
      const wellFormed =
        typeof sub === 'string' &&
        /^[1-9]\d{0,14}$/.test(sub) &&
        typeof account === 'string' &&
        Number.isInteger(ver) &&
        // One that never ends passes the library's own check.
        typeof exp === 'number';
      return wellFormed ? { id: Number(sub), account, ver: Number(ver) } : undefined;
    } catch {
      return undefined;
    }
  }
}
