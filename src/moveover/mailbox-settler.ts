import type { EntityManager } from 'typeorm';
import { runStatement, selectRows } from '../database/statement.js';
import { type Claimant, isFirst } from './collision.js';
import { type OldPlayer, toOldPlayer } from './old-player.js';
import { NO_KEY } from './old-players.js';
import { type PlayerDraft, sumOf } from './player-draft.js';
import { findPlayer, oldOf } from './present-player.js';
import { type Session, tell } from './session.js';

const MOST_IN_MIND = 100_000;

/** Who keeps a mailbox that was found shared: thousands may have the same one. */
export type Keepers = Map<string, Claimant>;

interface Owner {
  id: number;
  account: string;
  email: string;
  oldKey: Uint8Array | null;
}

/** Decides who keeps a mailbox that several players have. */
export class MailboxSettler {
  constructor(
    private readonly session: Session,
    private readonly keepers: Keepers,
  ) {}

  /** Without a mailbox that is known to stay with another, so that no statement of a thousand rows meets it. */
  withoutLost(draft: PlayerDraft): PlayerDraft {
    const { old, email } = draft;
    const keeper = email === null ? undefined : this.keepers.get(email);
    if (!keeper || keeper.key.equals(old.key) || this.isFirst(old, keeper)) return draft;
    return this.without(draft, keeper.name);
  }

  /** For many in a few statements. An owner whom only the database takes for the same is left to `settle`. */
  async settleMany(manager: EntityManager, drafts: PlayerDraft[]): Promise<PlayerDraft[]> {
    const wanted = new Set(drafts.flatMap(({ email }) => (email === null ? [] : [email])));
    if (wanted.size === 0) return drafts;
    const owners = new Map(
      (await this.ownersOf(manager, [...wanted])).map((owner) => [owner.email, owner]),
    );
    const before = await this.claimantsOf([...owners.values()]);
    const best = new Map<string, Claimant>();
    const newHere = new Set<string>();
    for (const [email, { account, oldKey }] of owners) {
      const claimant = oldKey && before.get(Buffer.from(oldKey).toString('hex'));
      best.set(email, claimant ?? { key: NO_KEY, name: account, lastLogin: null, createdAt: null });
      if (!claimant) newHere.add(email);
    }
    for (const { email, old } of drafts) {
      const other = email === null ? undefined : best.get(email);
      if (email !== null && !newHere.has(email) && (!other || this.isFirst(old, other)))
        best.set(email, old);
    }
    const losers = [...owners.values()].filter(({ email, oldKey }) => {
      const own = oldKey && before.get(Buffer.from(oldKey).toString('hex'));
      return own && best.get(email) !== own;
    });
    await this.takeAway(manager, losers);
    for (const { email, oldKey } of losers)
      this.tell(before.get(Buffer.from(oldKey!).toString('hex'))!, email, best.get(email)!.name);
    for (const [email, keeper] of best) if (!newHere.has(email)) this.keepInMind(email, keeper);
    return drafts.map((draft) => {
      const keeper = draft.email === null ? undefined : best.get(draft.email);
      return !keeper || keeper === draft.old ? draft : this.without(draft, keeper.name);
    });
  }

  async settle(manager: EntityManager, draft: PlayerDraft): Promise<PlayerDraft> {
    const { email, old } = draft;
    const present = email && (await findPlayer(this.session, manager, 'email', email));
    if (!present) return draft;
    const before = await oldOf(this.session, manager, present.id);
    if (!before || !this.isFirst(old, before)) {
      if (before) this.keepInMind(email, before);
      return this.without(draft, before?.name ?? present.account);
    }
    await this.takeAway(manager, [present]);
    this.keepInMind(email, old);
    this.tell(before, email, old.name);
    return draft;
  }

  private ownersOf(manager: EntityManager, emails: string[]): Promise<Owner[]> {
    const literals = emails.map((email) => this.session.target.literal(email));
    return selectRows<Owner>(
      manager,
      `SELECT p.id, p.account, LOWER(p.email) AS email, m.old_key AS oldKey
         FROM player p LEFT JOIN moveover_player m ON m.player_id = p.id
        WHERE p.email IN (${literals.join(', ')})`,
      [],
    );
  }

  private async claimantsOf(owners: Owner[]): Promise<Map<string, OldPlayer>> {
    const { players, reading } = this.session;
    const keys = owners.flatMap(({ oldKey }) => (oldKey ? [Buffer.from(oldKey)] : []));
    const rows = await players.readThese(keys);
    return new Map(rows.map((row) => [row.key.toString('hex'), toOldPlayer(row, reading)]));
  }

  private async takeAway(manager: EntityManager, players: Array<{ id: number }>): Promise<void> {
    if (players.length === 0) return;
    const ids = players.map(({ id }) => id).join(', ');
    await runStatement(manager, `UPDATE player SET email = NULL WHERE id IN (${ids})`, []);
    const sum = `email_sum = ${sumOf(null)}`;
    await runStatement(
      manager,
      `UPDATE moveover_player SET ${sum} WHERE player_id IN (${ids})`,
      [],
    );
  }

  private isFirst(one: Claimant, other: Claimant): boolean {
    return isFirst(one, other, this.session.map.on_shared_email);
  }

  /** Little of him: there may be many, and his row holds all that was read with it. */
  private keepInMind(email: string, { key, name, lastLogin, createdAt }: Claimant): void {
    if (this.keepers.size < MOST_IN_MIND || this.keepers.has(email))
      this.keepers.set(email, { key: Buffer.from(key), name, lastLogin, createdAt });
  }

  private without(draft: PlayerDraft, keeper: string): PlayerDraft {
    this.tell(draft.old, draft.email ?? '', keeper);
    return { ...draft, email: null };
  }

  private tell(loser: Claimant, email: string, keeper: string): void {
    tell(this.session, loser, {
      class: 'shared mailbox',
      detail: `${email} stays with ${keeper}`,
      rule: `on_shared_email: ${this.session.map.on_shared_email}`,
    });
  }
}
