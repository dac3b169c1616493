import type { EntityManager } from 'typeorm';
import { runStatement, selectRows } from '../../platform/database/statement.js';
import type { ImportContext } from './import-context.js';
import { notesOf, storeFindings } from './import-findings.js';
import { ImportPlan } from './import-plan.js';
import type { OldPlayer } from './old-player.js';
import {
  insertBansSql,
  insertImportedPlayersSql,
  insertNonCollidingPlayersSql,
  insertPlayersSql,
  type NumberedDraft,
  type PlayerDraft,
} from './player-draft.js';

const ROWS_PER_STATEMENT = 1000;

/** Writes players who are not imported yet, according to the plan. */
export class PlayerWriter {
  constructor(
    private readonly context: ImportContext,
    private readonly plan: ImportPlan,
    /** Ids for players who cannot keep theirs. */
    private readonly freeId: () => number | undefined,
  ) {}

  async write(manager: EntityManager, players: OldPlayer[]): Promise<void> {
    const skipped = players.filter(({ isSkipped }) => isSkipped);
    for (const old of skipped) {
      const unmoved = { old, id: undefined, email: null };
      await runStatement(manager, insertImportedPlayersSql([unmoved]), []);
      await storeFindings(this.context, manager, notesOf(old, old.notes));
    }
    const drafts = players
      .filter(({ isSkipped }) => !isSkipped)
      .map((old) => this.toDraft(this.plan, old));
    const refused = await this.insertMany(manager, drafts);
    if (refused.length === 0) return;
    // Old rows, or registrations here, that are newer than the plan.
    const again = await ImportPlan.make(this.context, manager, () => [
      refused.map(({ old }) => old),
    ]);
    for (const { old } of refused) await this.insertOne(manager, this.toDraft(again, old));
  }

  private toDraft(plan: ImportPlan, old: OldPlayer): PlayerDraft {
    const decision = plan.decide(old);
    return { ...decision, id: decision.id ?? this.freeId(), old };
  }

  /** Returns the players whose id, name or mailbox is taken, or who have no id. */
  private async insertMany(manager: EntityManager, drafts: PlayerDraft[]): Promise<PlayerDraft[]> {
    const numbered = drafts.filter(({ id }) => id !== undefined) as NumberedDraft[];
    const refused: PlayerDraft[] = drafts.filter(({ id }) => id === undefined);
    for (let at = 0; at < numbered.length; at += ROWS_PER_STATEMENT)
      refused.push(...(await this.insert(manager, numbered.slice(at, at + ROWS_PER_STATEMENT))));
    return refused;
  }

  private async insert(manager: EntityManager, drafts: NumberedDraft[]): Promise<NumberedDraft[]> {
    const taken = await this.presentIds(manager, drafts);
    const wanted = drafts.filter(({ id }) => !taken.has(id));
    if (wanted.length === 0) return drafts;
    await runStatement(
      manager,
      insertNonCollidingPlayersSql(wanted, new Date(), this.context.target),
      [],
    );
    const present = await this.presentIds(manager, wanted);
    await this.recordWritten(
      manager,
      wanted.filter(({ id }) => present.has(id)),
    );
    return drafts.filter(({ id }) => taken.has(id) || !present.has(id));
  }

  private async presentIds(manager: EntityManager, drafts: NumberedDraft[]): Promise<Set<number>> {
    const rows = await selectRows<{ id: number }>(
      manager,
      `SELECT id FROM player WHERE id IN (${drafts.map(({ id }) => id).join(', ')})`,
      [],
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async insertOne(manager: EntityManager, draft: PlayerDraft): Promise<void> {
    const sql = insertPlayersSql([draft], new Date(), this.context.target);
    const { insertId } = await runStatement(manager, sql, []);
    await this.recordWritten(manager, [{ ...draft, id: draft.id ?? insertId }]);
  }

  private async recordWritten(manager: EntityManager, drafts: NumberedDraft[]): Promise<void> {
    if (drafts.length === 0) return;
    const { target } = this.context;
    await runStatement(manager, insertImportedPlayersSql(drafts), []);
    const aliases = drafts
      .filter(({ alias }) => alias !== null)
      .map(({ alias, id }) => `(${target.literal(alias)}, ${id})`);
    if (aliases.length > 0)
      await runStatement(
        manager,
        `INSERT INTO player_alias (name, player_id) VALUES ${aliases.join(', ')}`,
        [],
      );
    const bans = drafts.flatMap(({ id, old: { ban } }) => (ban ? [{ playerId: id, ban }] : []));
    if (bans.length > 0) await runStatement(manager, insertBansSql(bans, new Date(), target), []);
    const notes = drafts.flatMap((draft) => notesOf(draft.old, draft.notes));
    await storeFindings(this.context, manager, notes);
  }
}
