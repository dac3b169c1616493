import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BatchedLookup } from '../database/batched-lookup.js';
import { sqlTime } from '../database/sql-time.js';
import { isSameAccount } from './account-name.js';
import { AccountDisabled, Unauthorized } from './auth.errors.js';
import { SessionActivity } from './session-activity.js';
import { TokenService } from './token.service.js';

export interface PlayerIdentity {
  id: number;
  account: string;
  /** The exact name in the game's tables. Null: `account`. */
  gameAccount: string | null;
  token: string;
  /** That of the account and of the token. */
  ver: number;
  /** The session of the token; undefined for a token of an earlier release. */
  sid?: number;
  /** When the token was signed, in milliseconds. */
  issuedAt: number;
}

interface StoredIdentity {
  id: number;
  account: string;
  gameAccount: string | null;
  ver: number;
  disabledAt: unknown;
  /** Whether the session's `seen_at` is to be renewed; null where no session stands. */
  stale: number | string | null;
}

const COLUMNS =
  'p.id, p.account, p.game_account AS gameAccount, p.ver, p.disabled_at AS disabledAt, s.seen_at < ? AS stale';
const BY_ID = `FROM player p
  LEFT JOIN session s ON s.player_id = p.id AND s.id = ? AND s.ended_at IS NULL WHERE p.id = ?`;
// No session has it.
const NO_SESSION = 0;
const SEEN_PRECISION_MS = 10 * 60 * 1000;

/**
 * Decides whether a JWT is in force: genuine, with the account's current `ver`, of a session that was not ended, and
 * the account not disabled.
 */
@Injectable()
export class IdentityService {
  private readonly byId: BatchedLookup<StoredIdentity>;

  constructor(
    private readonly tokens: TokenService,
    private readonly sessionActivity: SessionActivity,
    dataSource: DataSource,
  ) {
    this.byId = new BatchedLookup(dataSource, COLUMNS, BY_ID);
  }

  identify(token: string): Promise<PlayerIdentity> {
    return this.identifyClaims(this.tokens.verify(token), token);
  }

  /** For a token that is verified already. */
  async identifyClaims(claims: unknown, token: string): Promise<PlayerIdentity> {
    const owner = this.tokens.parseClaims(claims);
    if (!owner) throw new Unauthorized();
    const { sid, issuedAt } = owner;
    const staleSince = sqlTime(Date.now() - SEEN_PRECISION_MS);
    const player = await this.byId.find(staleSince, sid ?? NO_SESSION, owner.id);
    // Compares the name as well: after a restore from a backup, ids are assigned again.
    const isOwner = isSameAccount(player?.account, owner.account);
    if (!player || !isOwner || player.ver !== owner.ver) throw new Unauthorized();
    if (sid !== undefined && player.stale === null) throw new Unauthorized();
    if (player.disabledAt) throw new AccountDisabled();
    const { id, account, gameAccount, ver } = player;
    if (sid !== undefined && Number(player.stale) === 1) this.sessionActivity.touch(id, sid);
    return { id, account, gameAccount, token, ver, sid, issuedAt };
  }
}
