import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BatchedLookup } from '../database/batched-lookup.js';
import { sqlTime, toTime } from '../database/sql-time.js';
import { isSameAccount } from './account-name.js';
import { Unauthorized } from './auth.errors.js';
import { type AdmissionColumns, type Ban, banSql, requireAdmitted } from './ban.js';
import { TokenService } from './token.service.js';

export interface PlayerIdentity {
  id: number;
  account: string;
  /** The exact name in the game's tables. Null: `account`. */
  gameAccount: string | null;
  /** The version of the account and of the token. */
  ver: number;
  /** The session of the token; undefined for a token of an earlier release. */
  sid?: number;
  hasSecondFactor: boolean;
  /** When the caller last signed in or confirmed, also by password alone; never a refresh. */
  confirmedAt: Date;
  /** When the caller last proved to be the owner: the same or, where the account has a second factor, with that. */
  provedAt: Date;
  /** The last password reset by mail, new mailbox or removed second factor. */
  withdrawPausedAt: Date | null;
  /** Set if the player may not withdraw. */
  withdrawalBan: Ban | null;
}

interface StoredIdentity extends AdmissionColumns {
  id: number;
  account: string;
  gameAccount: string | null;
  ver: number;
  /** Whether the session's `seen_at` must be updated; null without a valid session. */
  stale: number | string | null;
  hasSecondFactor: unknown;
  confirmedAt: unknown;
  secondFactorAt: unknown;
  withdrawPausedAt: unknown;
}

const COLUMNS = `p.id, p.account, p.game_account AS gameAccount, p.ver, p.disabled_at AS disabledAt,
  ${banSql('p.id')} AS ban, s.seen_at < ? AS stale, s.confirmed_at AS confirmedAt,
  s.second_factor_at AS secondFactorAt, p.has_second_factor AS hasSecondFactor,
  p.withdraw_paused_at AS withdrawPausedAt`;
const BY_ID = `FROM player p
  LEFT JOIN session s ON s.player_id = p.id AND s.id = ? AND s.ended_at IS NULL AND s.expires_at > ?
  WHERE p.id = ?`;
// An id that no session has.
const NO_SESSION = 0;
const NEVER = new Date(0);
const SEEN_PRECISION_MS = 10 * 60 * 1000;
const TOUCH_SQL = 'UPDATE session SET seen_at = ? WHERE player_id = ? AND id = ?';

/**
 * Decides whether a JWT is valid: genuine, with the account's current `ver` and a session that has not ended, and the
 * account neither disabled nor banned.
 */
@Injectable()
export class IdentityService {
  private readonly logger = new Logger(IdentityService.name);
  private readonly byId: BatchedLookup<StoredIdentity>;
  private readonly pendingTouches = new Set<number>();

  constructor(
    private readonly tokens: TokenService,
    private readonly dataSource: DataSource,
  ) {
    this.byId = new BatchedLookup(dataSource, COLUMNS, BY_ID);
  }

  /** For /api/check: also accepts game tokens. */
  identifyForGame(token: string): Promise<PlayerIdentity> {
    return this.identify(this.tokens.verify(token), { forGame: true });
  }

  /** Takes the claims of a token that was already verified. */
  async identify(claims: unknown, use?: { forGame: boolean }): Promise<PlayerIdentity> {
    const owner = this.tokens.parseClaims(claims, use);
    if (!owner) throw new Unauthorized();
    const { sid, issuedAt } = owner;
    const now = Date.now();
    const staleSince = sqlTime(now - SEEN_PRECISION_MS);
    const player = await this.byId.find(staleSince, sid ?? NO_SESSION, sqlTime(now), owner.id);
    // Compares the name as well: after a restore from a backup, ids are assigned again.
    const isOwner = isSameAccount(player?.account, owner.account);
    if (!player || !isOwner || player.ver !== owner.ver) throw new Unauthorized();
    // Checked before the session, which the ban has ended: the player must see the ban, not `unauthorized`.
    const withdrawalBan = requireAdmitted(player);
    if (sid !== undefined && player.stale === null) throw new Unauthorized();
    const { id, account, gameAccount, ver } = player;
    if (sid !== undefined && Number(player.stale) === 1) this.touch(id, sid);
    // A token without a session comes from a sign-in, never from a refresh.
    const confirmedAt = toTime(player.confirmedAt) ?? new Date(issuedAt);
    const hasSecondFactor = Number(player.hasSecondFactor) !== 0;
    const provedAt = hasSecondFactor ? (toTime(player.secondFactorAt) ?? NEVER) : confirmedAt;
    const withdrawPausedAt = toTime(player.withdrawPausedAt);
    const proof = { hasSecondFactor, confirmedAt, provedAt };
    return { id, account, gameAccount, ver, sid, ...proof, withdrawPausedAt, withdrawalBan };
  }

  /** Records the use of a session in the background: no request waits for it or fails with it. */
  private touch(playerId: number, id: number): void {
    if (this.pendingTouches.has(id)) return;
    this.pendingTouches.add(id);
    this.dataSource
      .query(TOUCH_SQL, [sqlTime(new Date()), playerId, id])
      .catch((error: Error) =>
        this.logger.debug(`cannot record the use of a session: ${error.message}`),
      )
      .finally(() => this.pendingTouches.delete(id));
  }
}
