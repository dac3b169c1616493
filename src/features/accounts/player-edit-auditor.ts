import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Player } from '../../platform/auth/player.entity.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { toIsoTime } from '../../platform/database/sql-time.js';

// Whoever tries again and again is looked up once.
const MAX_REMEMBERED = 1000;
const EVENTS_SEARCHED = 50;

export const playerAuditSubject = (id: number) => `player ${id}`;

/**
 * Writes down that an account was disabled or enabled by SQL. There is no trigger that would tell: it is seen when the
 * player is refused at a login, at the desk, and before an act of the command.
 */
@Injectable()
export class PlayerEditAuditor {
  private readonly logger = new Logger(PlayerEditAuditor.name);
  private readonly seen = new Map<number, string>();

  constructor(
    private readonly audit: AuditLog,
    private readonly dataSource: DataSource,
  ) {}

  /** In the background: no login waits for it. */
  checkInBackground(playerId: number, disabledAt: unknown): void {
    void this.check(playerId, disabledAt).catch((error: Error) =>
      this.logger.warn(`an edit of player ${playerId} could not be recorded: ${error.message}`),
    );
  }

  async check(playerId: number, disabledAt: unknown): Promise<void> {
    const now = toIsoTime(disabledAt);
    // Not where it is enabled: that may be the second time since it was seen so.
    if (now !== null && this.seen.get(playerId) === now) return;
    if (this.seen.size >= MAX_REMEMBERED) this.seen.clear();
    const subject = playerAuditSubject(playerId);
    const events = await this.audit.findBySubject(subject, EVENTS_SEARCHED);
    const lastEvent = events.find(({ after }) => after !== null && 'disabled_at' in after);
    const before =
      (lastEvent?.after as { disabled_at: string | null } | undefined)?.disabled_at ?? null;
    if (before !== now) {
      // An act may have come between the look at the player and that at the events.
      if ((await this.currentDisabledAt(playerId)) !== now) return;
      const act = now === null ? 'player.enable' : 'player.disable';
      const change = { before: { disabled_at: before }, after: { disabled_at: now } };
      await this.audit.writeSqlEdit({ act, subject, ...change }, lastEvent);
    }
    if (now !== null) this.seen.set(playerId, now);
  }

  private async currentDisabledAt(id: number): Promise<string | null> {
    const player = await this.dataSource.getRepository(Player).findOneBy({ id });
    return toIsoTime(player?.disabledAt);
  }
}
