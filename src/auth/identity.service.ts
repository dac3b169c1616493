import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Lookup } from '../database/lookup.js';
import { isSameAccount } from './account-name.js';
import { AccountDisabled, Unauthorized } from './auth.errors.js';
import { TokenService } from './token.service.js';

export interface PlayerIdentity {
  id: number;
  account: string;
  /** The exact name in the game's tables. Null: `account`. */
  gameAccount: string | null;
  token: string;
}

interface StoredIdentity {
  id: number;
  account: string;
  gameAccount: string | null;
  ver: number;
  disabledAt: unknown;
}

const COLUMNS = 'id, account, game_account AS gameAccount, ver, disabled_at AS disabledAt';

/** Decides whether a JWT is in force: genuine, with the account's current `ver`, and the account not disabled. */
@Injectable()
export class IdentityService {
  private readonly byId: Lookup<StoredIdentity>;

  constructor(
    private readonly tokens: TokenService,
    dataSource: DataSource,
  ) {
    this.byId = new Lookup(dataSource, COLUMNS, 'FROM player WHERE id = ?');
  }

  identify(token: string): Promise<PlayerIdentity> {
    return this.identifyClaims(this.tokens.verify(token), token);
  }

  /** For a token that is verified already. */
  async identifyClaims(claims: unknown, token: string): Promise<PlayerIdentity> {
    const owner = this.tokens.ownerOf(claims);
    if (!owner) throw new Unauthorized();
    const player = await this.byId.find(owner.id);
    // Compares the name as well: after a restore from a backup, ids are assigned again.
    const isOwner = isSameAccount(player?.account, owner.account);
    if (!player || !isOwner || player.ver !== owner.ver) throw new Unauthorized();
    if (player.disabledAt) throw new AccountDisabled();
    const { id, account, gameAccount } = player;
    return { id, account, gameAccount, token };
  }
}
