import { type EntityManager, QueryFailedError } from 'typeorm';
import { batchesOf, runStatement, selectRows } from '../../../platform/database/sql.js';
import { CommandFailed } from '../../cli/command.js';
import { type Decision, findObstacle, ImportPlan } from '../decide/import-plan.js';
import { checksumOf, type OldChunk } from '../read/old-player-reader.js';
import { type OldBan, type OldPlayer, toOldPlayer } from '../read/old-player-row.js';
import type { ImportContext } from '../target/import-context.js';
import { storeFindings } from '../target/import-findings.js';
import { startProgress } from '../target/import-report.js';
import type { ImportTarget } from '../target/import-target.js';
import {
  findImported,
  insertImportedPlayersSql,
  type KeyRange,
} from '../target/imported-players.js';

/** One worker reads the next rows while the others write. */
const CHUNKS_AT_ONCE = 4;
const COLUMNS =
  'id, account, password, email, server_id, ip, device, os, browse, agent_id, disabled_at, created_at, entered_at, game_account, imported';

type PlayerDraft = Decision & { old: OldPlayer };
type NumberedDraft = PlayerDraft & { id: number };

/** Imports the old players with one transaction per chunk of rows. A new run continues an interrupted one. */
export class PlayerImporter {
  /** `gone` counts imported players who are no longer in the old table. */
  private readonly counts = { imported: 0, unchanged: 0, gone: 0 };
  /** Returns an id for a player who cannot keep the old one. If no reserved id is left, the database assigns one. */
  private freeId: () => number | undefined = () => undefined;

  constructor(
    private readonly context: ImportContext,
    private readonly plan: ImportPlan,
  ) {}

  /** Imports these ranges of the old table, and counts the rows of the others as unchanged. */
  async run({ ranges, unchanged }: { ranges: KeyRange[]; unchanged: number }) {
    const { players, target } = this.context;
    const { total, unusable, largest } = await players.count();
    const imported = await target.count('import_player WHERE player_id IS NOT NULL');
    const needed = players.numericKey ? unusable : Math.max(0, unusable - imported);
    let nextId = await target.reserveIds(largest, needed);
    const end = nextId + needed;
    this.freeId = () => (nextId < end ? nextId++ : undefined);
    const advance = startProgress('importing', total);
    this.counts.unchanged = unchanged;
    advance(unchanged);
    // The workers share this generator, so each reads the next chunk when it needs it, and all stop if one fails.
    const chunks = players.readChunks(ranges);
    const work = async () => {
      for await (const chunk of chunks) {
        await this.write(chunk);
        advance(chunk.rows.length);
      }
    };
    const workers = target.embedded ? 1 : CHUNKS_AT_ONCE;
    await Promise.all(Array.from({ length: workers }, work));
    this.counts.gone = Math.max(0, (await target.count('import_player')) - total);
    return this.counts;
  }

  private async write(chunk: OldChunk): Promise<void> {
    try {
      await this.writeChunk(chunk);
    } catch (error) {
      if (!(error instanceof QueryFailedError)) throw error;
      const { players } = this.context;
      const [from, to] = [chunk.after, chunk.upTo].map((key) => players.formatKey(key));
      throw new CommandFailed(
        `the account database refuses a row after ${from || 'the first'}, up to ${to}, of the old table (${error.message}); everything before it is imported, and another --run goes on`,
        { cause: error },
      );
    }
  }

  private async writeChunk(chunk: OldChunk): Promise<void> {
    const { players, target } = this.context;
    const read = chunk.rows.map((row) => toOldPlayer(row, this.context));
    const added = await target.transaction(async (manager) => {
      const imported = await findImported(manager, read);
      // Rows that could not be imported before may have been corrected since.
      for (const old of read) {
        if (imported.get(old.key)?.playerId !== null || findObstacle(this.context, old)) continue;
        imported.delete(old.key);
        for (const table of ['import_player', 'import_finding'])
          await runStatement(manager, `DELETE FROM ${table} WHERE old_key = x'${old.key}'`);
      }
      const fresh = read.filter(({ key }) => !imported.has(key));
      await this.insertPlayers(manager, fresh);
      // The next run applies what changed since this one looked for changes, because the checksum will not match.
      const sums = read.map(({ key, sum }) => imported.get(key)?.rowSum ?? sum);
      if (players.numericKey)
        await manager.query(
          `REPLACE INTO import_chunk (last_key, after_key, checksum)
           VALUES (x'${chunk.upTo}', x'${chunk.after}', '${checksumOf(sums)}')`,
        );
      return fresh;
    });
    this.counts.imported += added.filter((old) => !findObstacle(this.context, old)).length;
    this.counts.unchanged += read.length - added.length;
  }

  private async insertPlayers(manager: EntityManager, players: OldPlayer[]): Promise<void> {
    const drafts: PlayerDraft[] = [];
    for (const old of players) {
      const obstacle = findObstacle(this.context, old);
      if (obstacle) {
        await runStatement(manager, insertImportedPlayersSql([{ old, email: null }]));
        await storeFindings(this.context, manager, [obstacle]);
      } else drafts.push(this.toDraft(this.plan, old));
    }
    const numbered = drafts.filter(({ id }) => id !== undefined) as NumberedDraft[];
    const refused: PlayerDraft[] = drafts.filter(({ id }) => id === undefined);
    for (const batch of batchesOf(numbered)) refused.push(...(await this.insert(manager, batch)));
    if (refused.length === 0) return;
    // These players collide with old rows or registrations that are newer than the plan.
    const others = refused.map(({ old }) => old);
    const again = await ImportPlan.make(this.context, manager, () => [others]);
    for (const { old } of refused) {
      const draft = this.toDraft(again, old);
      const sql = insertPlayersSql([draft], this.context.target);
      const { insertId } = await runStatement(manager, sql);
      await this.recordWritten(manager, [{ ...draft, id: draft.id ?? insertId }]);
    }
  }

  private toDraft(plan: ImportPlan, old: OldPlayer): PlayerDraft {
    const decision = plan.decide(old);
    return { ...decision, id: decision.id ?? this.freeId(), old };
  }

  /** Inserts the players, and returns those whose id, name or e-mail address is taken. */
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
    const written = new Set(wanted.filter(({ id }) => present.has(id)));
    await this.recordWritten(manager, [...written]);
    return drafts.filter((draft) => !written.has(draft));
  }

  private async presentIds(manager: EntityManager, drafts: NumberedDraft[]): Promise<Set<number>> {
    const ids = drafts.map(({ id }) => id).join(', ');
    const sql = `SELECT id FROM player WHERE id IN (${ids})`;
    const rows = await selectRows<{ id: number }>(manager, sql, []);
    return new Set(rows.map(({ id }) => id));
  }

  private async recordWritten(manager: EntityManager, drafts: NumberedDraft[]): Promise<void> {
    if (drafts.length === 0) return;
    const { target } = this.context;
    await runStatement(manager, insertImportedPlayersSql(drafts));
    const aliases = drafts
      .filter(({ alias }) => alias !== null)
      .map(({ alias, id }) => `(${target.literal(alias)}, ${id})`);
    const sql = `INSERT INTO player_alias (name, player_id) VALUES ${aliases.join(', ')}`;
    if (aliases.length > 0) await runStatement(manager, sql);
    const bans = drafts.flatMap(({ id, old: { ban } }) => (ban ? [{ playerId: id, ban }] : []));
    if (bans.length > 0)
      await runStatement(manager, insertBansSql(bans, target.literal(new Date()), target));
    const all = drafts.flatMap(({ findings }) => findings);
    await storeFindings(this.context, manager, all);
  }
}

function insertPlayersSql(drafts: PlayerDraft[], target: ImportTarget): string {
  const now = new Date();
  const rows = drafts.map(({ old, id, account, email, gameAccount, closed }) => {
    const { password, serverId, ip, device, os, browse, agentId, createdAt, lastLogin } = old;
    const person = [id ?? null, account, password, email, serverId];
    const traces = [ip, device, os, browse, agentId];
    const times = [closed ? now : null, createdAt ?? now, lastLogin];
    return `(${target.literals([...person, ...traces, ...times, gameAccount, 1])})`;
  });
  return `INSERT INTO player (${COLUMNS}) VALUES ${rows.join(',')}`;
}

/** If the SQL `appliedAt` is NULL, the service ends the player's sessions and sends an e-mail. */
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
