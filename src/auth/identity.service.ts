import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountDisabled, Unauthorized } from './auth.errors.js';
import { TokenService } from './token.service.js';

export interface PlayerIdentity {
  id: number;
  account: string;
  token: string;
}

interface StoredIdentity {
  id: number;
  account: string;
  ver: number;
  disabledAt: unknown;
}

/** Decides whether a JWT is in force: genuine, of the account's present version, and the account not disabled. */
@Injectable()
export class IdentityService {
  constructor(
    private readonly tokens: TokenService,
    private readonly dataSource: DataSource,
  ) {}

  async identify(token: string): Promise<PlayerIdentity> {
    const owner = this.tokens.read(token);
    if (!owner) throw new Unauthorized();
    // Plain SQL: every request with a JWT passes here.
    const [player] = await this.dataSource.query<StoredIdentity[]>(
      'SELECT id, account, ver, disabled_at AS disabledAt FROM player WHERE id = ?',
      [owner.id],
    );
    // The name as well: after a restore from a backup, numbers are given out again.
    const isOwner = player?.account.toLowerCase() === owner.account.toLowerCase();
    if (!player || !isOwner || player.ver !== owner.ver) throw new Unauthorized();
    if (player.disabledAt) throw new AccountDisabled();
    return { id: player.id, account: player.account, token };
  }
}
