import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BatchedLookup } from '../database/batcher.js';
import { currentDate, currentTime } from '../database/database-clock.js';
import { RowQueue } from '../database/row-queue.js';
import { sqlTime, toTime } from '../database/sql.js';
import { isSameAccount } from './account-name.js';
import { type Ban, SignInAgain, Unauthorized } from './auth.errors.js';
import { type AdmissionColumns, banSql, requireAdmitted } from './ban.js';
import { type TokenClaims, type TokenOwner, TokenService } from './token.service.js';

export interface PlayerIdentity {
  id: number;
  account: string;
  /** This is the exact name in the game's tables, or null if it equals `account`. */
  gameAccount: string | null;
  ver: number;
  /** Identifies the session. Tokens from earlier releases have no session id. */
  sid?: number;
  hasSecondFactor: boolean;
  /** This is the time of the last sign-in or confirmation, even with the password alone. A refresh does not count. */
  confirmedAt: Date;
  /** This is the time of the last use of the second factor if the account has one, otherwise `confirmedAt`. */
  provedAt: Date;
  /**
   * This is the time of the last password reset by e-mail, change of the e-mail address or removal of a second factor.
   */
  withdrawPausedAt: Date | null;
  withdrawalBan: Ban | null;
}

export interface StoredIdentity extends AdmissionColumns {
  id: number;
  account: string;
  gameAccount: string | null;
  ver: number;
  /** This is 1 if the session's `seen_at` must be updated, and null without a valid session. */
  stale: number | string | null;
  hasSecondFactor: unknown;
  confirmedAt: unknown;
  secondFactorAt: unknown;
  withdrawPausedAt: unknown;
}

export const IDENTITY_COLUMNS = `p.id, p.account, p.game_account AS gameAccount, p.ver, p.disabled_at AS disabledAt,
  ${banSql('p.id')} AS ban, s.seen_at < ? AS stale, s.confirmed_at AS confirmedAt,
  s.second_factor_at AS secondFactorAt, p.has_second_factor AS hasSecondFactor,
  p.withdraw_paused_at AS withdrawPausedAt`;
export const IDENTITY_SOURCE = `FROM player p
  LEFT JOIN session s ON s.player_id = p.id AND s.id = ? AND s.ended_at IS NULL AND s.expires_at > ?
  WHERE p.id = ?`;
const NO_SESSION = 0;
const NEVER = new Date(0);
export const MINUTE_MS = 60_000;
const SEEN_PRECISION_MS = 10 * MINUTE_MS;
/** A change to the account needs a sign-in or confirmation within this time. */
export const RECENT_PROOF_MINUTES = 10;
const TOUCH_SQL = 'UPDATE session SET seen_at = ? WHERE player_id = ? AND id = ?';

/**
 * Decides whether a JWT is valid. The JWT must be genuine, with the account's current `ver` and a session that has not
 * ended. The account must be neither disabled nor banned.
 */
@Injectable()
export class IdentityService {
  private readonly logger = new Logger(IdentityService.name);
  private readonly byId: BatchedLookup<StoredIdentity>;
  private readonly pendingTouches = new Set<number>();

  constructor(
    private readonly tokens: TokenService,
    private readonly dataSource: DataSource,
    private readonly rowQueue: RowQueue,
  ) {
    this.byId = new BatchedLookup(dataSource, IDENTITY_COLUMNS, IDENTITY_SOURCE);
  }

  /** Identifies the player of a token for `/api/check`, which also accepts game tokens. */
  identifyForGame(token: string): Promise<PlayerIdentity> {
    return this.identify(this.tokens.verify(token), { forGame: true });
  }

  /** Identifies the player of a token whose signature was already verified. */
  async identify(claims: unknown, use?: { forGame: boolean }): Promise<PlayerIdentity> {
    const owner = this.tokens.parseClaims(claims, use);
    if (!owner) throw new Unauthorized();
    const player = await this.byId.find(...identityValues(owner));
    const identity = toIdentity(player, owner);
    if (identity.sid !== undefined && Number(player!.stale) === 1)
      this.touch(identity.id, identity.sid);
    return identity;
  }

  /** Records the use of a session in the background. No request waits for the update or fails with it. */
  private touch(playerId: number, id: number): void {
    if (this.pendingTouches.has(id)) return;
    this.pendingTouches.add(id);
    const values = [sqlTime(currentDate()), playerId, id];
    this.rowQueue
      .run(`player ${playerId}`, () => this.dataSource.query(TOUCH_SQL, values))
      .catch((error: Error) =>
        this.logger.debug(`cannot record the use of a session: ${error.message}`),
      )
      .finally(() => this.pendingTouches.delete(id));
  }
}

export function identityValues({ id, sid }: Pick<TokenOwner, 'id' | 'sid'>): unknown[] {
  const now = currentTime();
  return [sqlTime(now - SEEN_PRECISION_MS), sid ?? NO_SESSION, sqlTime(now), id];
}

/** Throws unless the stored player and session still match the token's claims. */
export function toIdentity(
  player: StoredIdentity | undefined,
  { account: name, ver, sid, issuedAt }: Omit<TokenClaims, 'id'>,
): PlayerIdentity {
  // The name must match as well, because ids may be assigned again after a restore from a backup.
  const isOwner = isSameAccount(player?.account, name);
  if (!player || !isOwner || player.ver !== ver) throw new Unauthorized();
  // The ban check comes first, because a ban ends the session and the player must see the ban, not `unauthorized`.
  const withdrawalBan = requireAdmitted(player);
  if (sid !== undefined && player.stale === null) throw new Unauthorized();
  const { id, account, gameAccount } = player;
  // A token without a session comes from a sign-in, never from a refresh.
  const confirmedAt = toTime(player.confirmedAt) ?? new Date(issuedAt);
  const hasSecondFactor = Number(player.hasSecondFactor) !== 0;
  const provedAt = hasSecondFactor ? (toTime(player.secondFactorAt) ?? NEVER) : confirmedAt;
  const withdrawPausedAt = toTime(player.withdrawPausedAt);
  const proof = { hasSecondFactor, confirmedAt, provedAt };
  return { id, account, gameAccount, ver, sid, ...proof, withdrawPausedAt, withdrawalBan };
}

/** Throws unless the player recently proved their identity, because they may have left the screen unattended. */
export function requireRecentProof(
  { provedAt }: PlayerIdentity,
  minutes = RECENT_PROOF_MINUTES,
): void {
  if (!isRecent(provedAt, minutes)) throw new SignInAgain();
}

/** Throws unless the player signed in or confirmed the password recently, even without the second factor. */
export function requireRecentConfirmation({ confirmedAt }: PlayerIdentity): void {
  if (!isRecent(confirmedAt, RECENT_PROOF_MINUTES)) throw new SignInAgain();
}

function isRecent(time: Date, minutes: number): boolean {
  return time.getTime() > currentTime() - minutes * MINUTE_MS;
}
