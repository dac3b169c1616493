import type { EntityManager } from 'typeorm';
import { runStatement, selectRows } from '../../../platform/database/sql.js';
import type { ImportContext } from '../target/import-context.js';
import { playerFindings, storeFindings } from '../target/import-findings.js';
import { insertImportedPlayersSql } from '../target/imported-players.js';
import { ImportPlan, type Decision } from '../decide/import-plan.js';
import type { OldPlayer, OldBan } from '../read/old-player-row.js';
import type { ImportTarget } from '../target/import-target.js';

const ROWS_PER_STATEMENT = 1000;
const COLUMNS =
  'id, account, password, email, server_id, ip, device, os, browse, agent_id, disabled_at, created_at, entered_at, game_account, imported';

type PlayerDraft = Decision & { old: OldPlayer };
type NumberedDraft = PlayerDraft & { id: number };

export class PlayerWriter {
  constructor(
    private readonly context: ImportContext,
    private readonly plan: ImportPlan,
    /** Returns an id for a player who cannot keep the old one. */
    private readonly freeId: () => number | undefined,
  ) {}

  async write(manager: EntityManager, players: OldPlayer[]): Promise<void> {
    for (const old of players.filter(({ isSkipped }) => isSkipped)) {
      await runStatement(manager, insertImportedPlayersSql([{ old, email: null }]));
      await storeFindings(this.context, manager, playerFindings(old, old.notes));
    }
    const drafts = players
      .filter(({ isSkipped }) => !isSkipped)
      .map((old) => this.toDraft(this.plan, old));
    const refused = await this.insertMany(manager, drafts);
    if (refused.length === 0) return;
    // These players collide with old rows or registrations that are newer than the plan.
    const again = await ImportPlan.make(this.context, manager, () => [
      refused.map(({ old }) => old),
    ]);
    for (const { old } of refused) await this.insertOne(manager, this.toDraft(again, old));
  }

  private toDraft(plan: ImportPlan, old: OldPlayer): PlayerDraft {
    const decision = plan.decide(old);
    return { ...decision, id: decision.id ?? this.freeId(), old };
  }

  /** Returns the players whose id, name or e-mail address is taken, or who have no id. */
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
    const { target } = this.context;
    // Unlike INSERT IGNORE, this clause skips only rows whose id, name or e-mail address is taken.
    const otherwise = target.embedded
      ? 'ON CONFLICT DO NOTHING'
      : 'ON DUPLICATE KEY UPDATE id = player.id';
    await runStatement(manager, `${insertPlayersSql(wanted, target)} ${otherwise}`);
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
    const sql = insertPlayersSql([draft], this.context.target);
    const { insertId } = await runStatement(manager, sql);
    await this.recordWritten(manager, [{ ...draft, id: draft.id ?? insertId }]);
  }

  private async recordWritten(manager: EntityManager, drafts: NumberedDraft[]): Promise<void> {
    if (drafts.length === 0) return;
    const { target } = this.context;
    await runStatement(manager, insertImportedPlayersSql(drafts));
    const aliases = drafts
      .filter(({ alias }) => alias !== null)
      .map(({ alias, id }) => `(${target.literal(alias)}, ${id})`);
    if (aliases.length > 0)
      await runStatement(
        manager,
        `INSERT INTO player_alias (name, player_id) VALUES ${aliases.join(', ')}`,
      );
    const bans = drafts.flatMap(({ id, old: { ban } }) => (ban ? [{ playerId: id, ban }] : []));
    if (bans.length > 0)
      await runStatement(manager, insertBansSql(bans, target.literal(new Date()), target));
    const findings = drafts.flatMap(({ old, notes }) => playerFindings(old, notes));
    await storeFindings(this.context, manager, findings);
  }
}

function insertPlayersSql(drafts: PlayerDraft[], target: ImportTarget): string {
  const time = target.literal(new Date());
  const text = (value: string | Date | null) => target.literal(value);
  const rows = drafts.map(({ old, id, account, email, gameAccount, closed }) => {
    const { password, serverId, ip, device, os, browse, agentId, createdAt, lastLogin } = old;
    const person = `${id ?? 'NULL'},${text(account)},'${password}',${text(email)},${serverId}`;
    const traces = `${text(ip)},${text(device)},${text(os)},${text(browse)},${agentId}`;
    const times = `${closed ? time : 'NULL'},${createdAt ? text(createdAt) : time},${text(lastLogin)}`;
    return `(${person},${traces},${times},${text(gameAccount)},1)`;
  });
  return `INSERT INTO player (${COLUMNS}) VALUES ${rows.join(',')}`;
}

/** Inserts bans. If the SQL `appliedAt` is NULL, the service then ends the player's sessions and sends a mail. */
export function insertBansSql(
  bans: Array<{ playerId: number; ban: OldBan }>,
  appliedAt: string,
  target: ImportTarget,
): string {
  const now = new Date();
  const rows = bans.map(({ playerId, ban: { reason, until } }) => {
    // The ban may have ended since it was read, and the table rejects an end before the beginning.
    const createdAt = until && until <= now ? new Date(until.getTime() - 1) : now;
    const times = [createdAt, until].map((time) => target.literal(time)).join(', ');
    return `(${playerId}, ${target.literal(reason)}, 'import', ${times}, ${appliedAt})`;
  });
  return `INSERT INTO player_ban (player_id, reason, created_by, created_at, until, applied_at) VALUES ${rows.join(', ')}`;
}
