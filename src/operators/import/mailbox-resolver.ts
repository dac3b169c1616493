import type { EntityManager } from 'typeorm';
import { runStatement, selectRows } from '../../platform/database/statement.js';
import { type Claimant, takesPrecedence } from './collision.js';
import { type OldPlayer, toOldPlayer } from './old-player.js';
import { NO_KEY } from './old-players.js';
import { type PlayerDraft, crcOf } from './player-draft.js';
import { findExistingPlayer, findOldPlayer } from './existing-player.js';
import { type ImportContext, reportFinding } from './import-context.js';

const MAX_REMEMBERED = 100_000;

/** Who keeps a mailbox that was found shared: thousands may have the same one. */
export type MailboxKeepers = Map<string, Claimant>;

interface Owner {
  id: number;
  account: string;
  email: string;
  oldKey: Uint8Array | null;
}

/** Decides who keeps a mailbox that several players have. */
export class MailboxResolver {
  constructor(
    private readonly context: ImportContext,
    private readonly keepers: MailboxKeepers,
  ) {}

  /** Without a mailbox that is known to stay with another, so that no statement of a thousand rows meets it. */
  dropLostMailbox(draft: PlayerDraft): PlayerDraft {
    const { old, email } = draft;
    const keeper = email === null ? undefined : this.keepers.get(email);
    if (!keeper || keeper.key.equals(old.key) || this.takesPrecedence(old, keeper)) return draft;
    return this.withoutMailbox(draft, keeper.name);
  }

  /** For many in a few statements. An owner whom only the database takes for the same is left to `settle`. */
  async resolveMany(manager: EntityManager, drafts: PlayerDraft[]): Promise<PlayerDraft[]> {
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
      if (email !== null && !newHere.has(email) && (!other || this.takesPrecedence(old, other)))
        best.set(email, old);
    }
    const losers = [...owners.values()].filter(({ email, oldKey }) => {
      const own = oldKey && before.get(Buffer.from(oldKey).toString('hex'));
      return own && best.get(email) !== own;
    });
    await this.clearMailboxes(manager, losers);
    for (const { email, oldKey } of losers)
      this.reportShared(
        before.get(Buffer.from(oldKey!).toString('hex'))!,
        email,
        best.get(email)!.name,
      );
    for (const [email, keeper] of best) if (!newHere.has(email)) this.rememberKeeper(email, keeper);
    return drafts.map((draft) => {
      const keeper = draft.email === null ? undefined : best.get(draft.email);
      return !keeper || keeper === draft.old ? draft : this.withoutMailbox(draft, keeper.name);
    });
  }

  async resolve(manager: EntityManager, draft: PlayerDraft): Promise<PlayerDraft> {
    const { email, old } = draft;
    const present = email && (await findExistingPlayer(this.context, manager, 'email', email));
    if (!present) return draft;
    const before = await findOldPlayer(this.context, manager, present.id);
    if (!before || !this.takesPrecedence(old, before)) {
      if (before) this.rememberKeeper(email, before);
      return this.withoutMailbox(draft, before?.name ?? present.account);
    }
    await this.clearMailboxes(manager, [present]);
    this.rememberKeeper(email, old);
    this.reportShared(before, email, old.name);
    return draft;
  }

  private ownersOf(manager: EntityManager, emails: string[]): Promise<Owner[]> {
    const literals = emails.map((email) => this.context.target.literal(email));
    return selectRows<Owner>(
      manager,
      `SELECT p.id, p.account, LOWER(p.email) AS email, m.old_key AS oldKey
         FROM player p LEFT JOIN import_player m ON m.player_id = p.id
        WHERE p.email IN (${literals.join(', ')})`,
      [],
    );
  }

  private async claimantsOf(owners: Owner[]): Promise<Map<string, OldPlayer>> {
    const { players, oldRowOptions: reading } = this.context;
    const keys = owners.flatMap(({ oldKey }) => (oldKey ? [Buffer.from(oldKey)] : []));
    const rows = await players.readByKeys(keys);
    return new Map(rows.map((row) => [row.key.toString('hex'), toOldPlayer(row, reading)]));
  }

  private async clearMailboxes(
    manager: EntityManager,
    players: Array<{ id: number }>,
  ): Promise<void> {
    if (players.length === 0) return;
    const ids = players.map(({ id }) => id).join(', ');
    await runStatement(manager, `UPDATE player SET email = NULL WHERE id IN (${ids})`, []);
    const sum = `email_sum = ${crcOf(null)}`;
    await runStatement(manager, `UPDATE import_player SET ${sum} WHERE player_id IN (${ids})`, []);
  }

  private takesPrecedence(one: Claimant, other: Claimant): boolean {
    return takesPrecedence(one, other, this.context.map.on_shared_email);
  }

  /** Little of him: there may be many, and his row holds all that was read with it. */
  private rememberKeeper(email: string, { key, name, lastLogin, createdAt }: Claimant): void {
    if (this.keepers.size < MAX_REMEMBERED || this.keepers.has(email))
      this.keepers.set(email, { key: Buffer.from(key), name, lastLogin, createdAt });
  }

  private withoutMailbox(draft: PlayerDraft, keeper: string): PlayerDraft {
    this.reportShared(draft.old, draft.email ?? '', keeper);
    return { ...draft, email: null };
  }

  private reportShared(loser: Claimant, email: string, keeper: string): void {
    reportFinding(this.context, loser, {
      class: 'shared mailbox',
      detail: `${email} stays with ${keeper}`,
      rule: `on_shared_email: ${this.context.map.on_shared_email}`,
    });
  }
}
