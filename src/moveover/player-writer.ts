import type { EntityManager } from 'typeorm';
import { isDuplicate } from '../database/database-errors.js';
import { runStatement } from '../database/statement.js';
import { CollisionSettler } from './collision-settler.js';
import { MailboxSettler } from './mailbox-settler.js';
import type { OldPlayer } from './old-player.js';
import { insertMoved, insertPlayers, type PlayerDraft, toDraft } from './player-draft.js';
import { type Session, tell } from './session.js';

const ROWS_IN_A_STATEMENT = 1000;

/** Writes players that were not moved before. */
export class PlayerWriter {
  private readonly collisions: CollisionSettler;
  private readonly mailboxes: MailboxSettler;

  constructor(
    private readonly session: Session,
    keepers: Map<string, OldPlayer>,
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
    for (let at = 0; at < drafts.length; at += ROWS_IN_A_STATEMENT)
      await this.insert(manager, drafts.slice(at, at + ROWS_IN_A_STATEMENT));
  }

  /** Halves the rows until those are alone that the database takes for others. */
  private async insert(manager: EntityManager, drafts: PlayerDraft[]): Promise<void> {
    const [only] = drafts;
    if (only === undefined) return undefined;
    const haveIds = drafts.every(({ id }) => id !== undefined);
    if (haveIds && (await this.tryInsert(manager, drafts))) return undefined;
    if (drafts.length === 1) return this.place(manager, only);
    const half = drafts.length >> 1;
    await this.insert(manager, drafts.slice(0, half));
    return this.insert(manager, drafts.slice(half));
  }

  private async tryInsert(manager: EntityManager, drafts: PlayerDraft[]): Promise<boolean> {
    try {
      // A statement that meets a duplicate is undone whole; the transaction goes on.
      await runStatement(manager, insertPlayers(drafts, new Date(), this.session.target), []);
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
    await runStatement(manager, insertMoved(drafts), []);
    return true;
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
