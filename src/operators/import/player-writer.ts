import type { EntityManager } from 'typeorm';
import { runStatement, selectRows } from '../../platform/database/statement.js';
import { CollisionResolver } from './collision-resolver.js';
import { type MailboxKeepers, MailboxResolver } from './mailbox-resolver.js';
import type { OldPlayer } from './old-player.js';
import {
  insertNonCollidingPlayersSql,
  insertImportedPlayersSql,
  insertPlayersSql,
  type PlayerDraft,
  toDraft,
} from './player-draft.js';
import { type ImportContext, reportFinding } from './import-context.js';

const ROWS_PER_STATEMENT = 1000;

type Numbered = PlayerDraft & { id: number };

/** Writes players that were not moved before. */
export class PlayerWriter {
  private readonly collisions: CollisionResolver;
  private readonly mailboxes: MailboxResolver;

  constructor(
    private readonly context: ImportContext,
    keepers: MailboxKeepers,
    /** Ids for those whose own does not fit. */
    private readonly freeId: () => number | undefined,
  ) {
    this.collisions = new CollisionResolver(context);
    this.mailboxes = new MailboxResolver(context, keepers);
  }

  async write(manager: EntityManager, players: OldPlayer[]): Promise<void> {
    const skipped = players.filter(({ isSkipped: leftBehind }) => leftBehind);
    for (const old of skipped) await this.recordSkipped(manager, old);
    const drafts = players
      .filter(({ isSkipped: leftBehind }) => !leftBehind)
      .map((old) => {
        const draft = toDraft(old, this.context.game);
        return this.mailboxes.dropLostMailbox({ ...draft, id: draft.id ?? this.freeId() });
      });
    const refused = await this.insertNonColliding(manager, drafts);
    if (refused.length === 0) return;
    // A shared mailbox is by far the commonest reason; who is refused again is looked at alone.
    const settled = await this.mailboxes.resolveMany(manager, refused);
    for (const draft of await this.insertNonColliding(manager, settled))
      await this.resolveAndInsert(manager, draft);
  }

  /** Gives those whose id, name or mailbox is another's, or who have no id. */
  private async insertNonColliding(
    manager: EntityManager,
    drafts: PlayerDraft[],
  ): Promise<PlayerDraft[]> {
    const numbered = drafts.filter(({ id }) => id !== undefined) as Numbered[];
    const refused: PlayerDraft[] = drafts.filter(({ id }) => id === undefined);
    for (let at = 0; at < numbered.length; at += ROWS_PER_STATEMENT)
      refused.push(...(await this.insert(manager, numbered.slice(at, at + ROWS_PER_STATEMENT))));
    return refused;
  }

  private async insert(manager: EntityManager, drafts: Numbered[]): Promise<Numbered[]> {
    const taken = await this.presentIds(manager, drafts);
    const wanted = drafts.filter(({ id }) => !taken.has(id));
    if (wanted.length === 0) return drafts;
    await runStatement(
      manager,
      insertNonCollidingPlayersSql(wanted, new Date(), this.context.target),
      [],
    );
    const present = await this.presentIds(manager, wanted);
    const written = wanted.filter(({ id }) => present.has(id));
    if (written.length > 0) await runStatement(manager, insertImportedPlayersSql(written), []);
    return drafts.filter(({ id }) => taken.has(id) || !present.has(id));
  }

  private async presentIds(manager: EntityManager, drafts: Numbered[]): Promise<Set<number>> {
    const ids = drafts.map(({ id }) => id);
    const rows = await selectRows<{ id: number }>(
      manager,
      `SELECT id FROM player WHERE id BETWEEN ${Math.min(...ids)} AND ${Math.max(...ids)}`,
      [],
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async resolveAndInsert(manager: EntityManager, wanted: PlayerDraft): Promise<void> {
    const { draft: named, alias } = await this.collisions.resolve(manager, wanted);
    const draft = await this.mailboxes.resolve(manager, named);
    const sql = insertPlayersSql([draft], new Date(), this.context.target);
    const { insertId } = await runStatement(manager, sql, []);
    const placed = { ...draft, id: draft.id ?? insertId };
    await runStatement(manager, insertImportedPlayersSql([placed]), []);
    if (alias !== undefined) await this.collisions.addAlias(manager, alias, placed.id);
  }

  private async recordSkipped(manager: EntityManager, old: OldPlayer): Promise<void> {
    const draft = { ...toDraft(old, this.context.game), id: undefined };
    await runStatement(manager, insertImportedPlayersSql([draft]), []);
    for (const { trouble, detail } of old.issues)
      reportFinding(this.context, old, {
        class: 'not moved',
        detail: `${trouble}: ${detail}`,
        rule: '–',
      });
  }
}
