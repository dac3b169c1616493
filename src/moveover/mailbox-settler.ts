import type { EntityManager } from 'typeorm';
import { runStatement } from '../database/statement.js';
import { isFirst } from './collision.js';
import type { OldPlayer } from './old-player.js';
import { type PlayerDraft, sumOf } from './player-draft.js';
import { findPlayer, oldOf } from './present-player.js';
import { type Session, tell } from './session.js';

const MOST_IN_MIND = 100_000;

/** Decides who keeps a mailbox that several players have. */
export class MailboxSettler {
  constructor(
    private readonly session: Session,
    /** Who keeps a mailbox that was found shared: thousands may have the same one. */
    private readonly keepers: Map<string, OldPlayer>,
  ) {}

  /** Without a mailbox that is known to stay with another, so that no statement of a thousand rows fails for it. */
  withoutLost(draft: PlayerDraft): PlayerDraft {
    const { old, email } = draft;
    const keeper = email === null ? undefined : this.keepers.get(email);
    if (!keeper || keeper.key.equals(old.key) || this.isFirst(old, keeper)) return draft;
    this.tell(old, keeper.name);
    return { ...draft, email: null };
  }

  async settle(manager: EntityManager, draft: PlayerDraft): Promise<PlayerDraft> {
    const { email, old } = draft;
    const present = email && (await findPlayer(this.session, manager, 'email', email));
    if (!present) return draft;
    const before = await oldOf(this.session, manager, present.id);
    if (!before || !this.isFirst(old, before)) {
      if (before) this.keepInMind(email, before);
      this.tell(old, before?.name ?? present.account);
      return { ...draft, email: null };
    }
    await runStatement(manager, `UPDATE player SET email = NULL WHERE id = ${present.id}`, []);
    await runStatement(
      manager,
      `UPDATE moveover_player SET email_sum = ${sumOf(null)} WHERE player_id = ${present.id}`,
      [],
    );
    this.keepInMind(email, old);
    this.tell(before, old.name);
    return draft;
  }

  private isFirst(one: OldPlayer, other: OldPlayer): boolean {
    return isFirst(one, other, this.session.map.on_shared_email);
  }

  private keepInMind(email: string, keeper: OldPlayer): void {
    if (this.keepers.size < MOST_IN_MIND) this.keepers.set(email, keeper);
  }

  private tell(loser: OldPlayer, keeper: string): void {
    tell(this.session, loser, {
      class: 'shared mailbox',
      detail: `${loser.email} stays with ${keeper}`,
      rule: `on_shared_email: ${this.session.map.on_shared_email}`,
    });
  }
}
