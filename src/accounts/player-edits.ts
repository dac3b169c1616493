import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Player } from '../auth/player.entity.js';
import { AuditBook } from '../journal/audit-book.js';

// Whoever tries again and again is looked up once.
const MOST_SEEN = 1000;
const EVENTS_LOOKED_AT = 50;

export const subjectOfPlayer = (id: number) => `player ${id}`;

/**
 * Writes down that an account was disabled or enabled by SQL. There is no trigger that would tell: it is seen when the
 * player is refused at a login, at the desk, and before an act of the command.
 */
@Injectable()
export class PlayerEdits {
  private readonly logger = new Logger(PlayerEdits.name);
  private readonly seen = new Map<number, string>();

  constructor(
    private readonly audit: AuditBook,
    private readonly dataSource: DataSource,
  ) {}

  /** In the background: no login waits for it. */
  see(playerId: number, disabledAt: unknown): void {
    void this.compare(playerId, disabledAt).catch((error: Error) =>
      this.logger.warn(`an edit of player ${playerId} was not written down: ${error.message}`),
    );
  }

  async compare(playerId: number, disabledAt: unknown): Promise<void> {
    const now = toIso(disabledAt);
    // Not where it is enabled: that may be the second time since it was seen so.
    if (now !== null && this.seen.get(playerId) === now) return;
    if (this.seen.size >= MOST_SEEN) this.seen.clear();
    const subject = subjectOfPlayer(playerId);
    const events = await this.audit.of(subject, EVENTS_LOOKED_AT);
    const told = events.find(({ after }) => after !== null && 'disabled_at' in after);
    const before = (told?.after as { disabled_at: string | null } | undefined)?.disabled_at ?? null;
    if (before !== now) {
      // An act may have come between the look at the player and that at the events.
      if ((await this.disabledAt(playerId)) !== now) return;
      const act = now === null ? 'player.enable' : 'player.disable';
      const change = { before: { disabled_at: before }, after: { disabled_at: now } };
      await this.audit.writeSeen({ act, subject, ...change }, told);
    }
    if (now !== null) this.seen.set(playerId, now);
  }

  private async disabledAt(id: number): Promise<string | null> {
    const player = await this.dataSource.getRepository(Player).findOneBy({ id });
    return toIso(player?.disabledAt);
  }
}

/** The drivers give a time as a Date or, SQLite, as text in UTC. */
export function toIso(time: unknown): string | null {
  if (time instanceof Date) return time.toISOString();
  if (typeof time !== 'string') return null;
  return new Date(time.replace(' ', 'T').replace(/Z?$/, 'Z')).toISOString();
}
