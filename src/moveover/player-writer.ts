import type { EntityManager } from 'typeorm';
import { runStatement, selectRows } from '../database/statement.js';
import { CollisionSettler } from './collision-settler.js';
import { type Keepers, MailboxSettler } from './mailbox-settler.js';
import type { OldPlayer } from './old-player.js';
import {
  insertFreePlayers,
  insertMoved,
  insertPlayers,
  type PlayerDraft,
  toDraft,
} from './player-draft.js';
import { type Session, tell } from './session.js';

const ROWS_IN_A_STATEMENT = 1000;

type Numbered = PlayerDraft & { id: number };

/** Writes players that were not moved before. */
export class PlayerWriter {
  private readonly collisions: CollisionSettler;
  private readonly mailboxes: MailboxSettler;

  constructor(
    private readonly session: Session,
    keepers: Keepers,
    /** Ids for those whose own does not fit. */
    private readonly freeId: () => number | undefined,
  ) {
    this.collisions = new CollisionSettler(session);
    this.mailboxes = new MailboxSettler(session, keepers);
  }

  async write(manager: EntityManager, players: OldPlayer[]): Promise<void> {
    const staying = players.filter(({ leftBehind }) => leftBehind);
    for (const old of staying) await this.leaveBehind(manager, old);
    const drafts = players
      .filter(({ leftBehind }) => !leftBehind)
      .map((old) => {
        const draft = toDraft(old, this.session.game);
        return this.mailboxes.withoutLost({ ...draft, id: draft.id ?? this.freeId() });
      });
    const refused = await this.insertFree(manager, drafts);
    if (refused.length === 0) return;
    // A shared mailbox is by far the commonest reason; who is refused again is looked at alone.
    const settled = await this.mailboxes.settleMany(manager, refused);
    for (const draft of await this.insertFree(manager, settled)) await this.place(manager, draft);
  }

  /** Gives those whose id, name or mailbox is another's, or who have no id. */
  private async insertFree(manager: EntityManager, drafts: PlayerDraft[]): Promise<PlayerDraft[]> {
    const numbered = drafts.filter(({ id }) => id !== undefined) as Numbered[];
    const refused: PlayerDraft[] = drafts.filter(({ id }) => id === undefined);
    for (let at = 0; at < numbered.length; at += ROWS_IN_A_STATEMENT)
      refused.push(...(await this.insert(manager, numbered.slice(at, at + ROWS_IN_A_STATEMENT))));
    return refused;
  }

  private async insert(manager: EntityManager, drafts: Numbered[]): Promise<Numbered[]> {
    const taken = await this.presentIds(manager, drafts);
    const wanted = drafts.filter(({ id }) => !taken.has(id));
    if (wanted.length === 0) return drafts;
    await runStatement(manager, insertFreePlayers(wanted, new Date(), this.session.target), []);
    const present = await this.presentIds(manager, wanted);
    const written = wanted.filter(({ id }) => present.has(id));
    if (written.length > 0) await runStatement(manager, insertMoved(written), []);
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

  private async place(manager: EntityManager, wanted: PlayerDraft): Promise<void> {
    const { draft: named, alias } = await this.collisions.settle(manager, wanted);
    const draft = await this.mailboxes.settle(manager, named);
    const sql = insertPlayers([draft], new Date(), this.session.target);
    const { insertId } = await runStatement(manager, sql, []);
    const placed = { ...draft, id: draft.id ?? insertId };
    await runStatement(manager, insertMoved([placed]), []);
    if (alias !== undefined) await this.collisions.addAlias(manager, alias, placed.id);
  }

  private async leaveBehind(manager: EntityManager, old: OldPlayer): Promise<void> {
    const draft = { ...toDraft(old, this.session.game), id: undefined };
    await runStatement(manager, insertMoved([draft]), []);
    for (const { trouble, detail } of old.troubles)
      tell(this.session, old, { class: 'not moved', detail: `${trouble}: ${detail}`, rule: '–' });
  }
}
