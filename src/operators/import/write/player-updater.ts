import type { EntityManager } from 'typeorm';
import { lockPlayer } from '../../../platform/auth/player-row-lock.js';
import { toTime, runStatement } from '../../../platform/database/sql.js';
import { ImportPlan } from '../decide/import-plan.js';
import { COLLISIONS } from '../decide/present-players.js';
import {
  BAN_END,
  banNotes,
  NOT_MOVED,
  type Note,
  type OldPlayer,
  type OldRow,
  toOldPlayer,
} from '../read/old-player-row.js';
import type { ImportContext } from '../target/import-context.js';
import { clearFindings, playerFindings, storeFindings } from '../target/import-findings.js';
import {
  banSum,
  crcOf,
  findImported,
  type ImportedPlayer,
  loadSegments,
  lockOpenPlayers,
  nameSum,
} from '../target/imported-players.js';
import { insertBansSql } from './player-writer.js';

const KEPT = 'kept as it is here';
const BATCH_SIZE = 500;
const SHARED = 'shared mailbox';
/** Lists the classes of findings that are replaced after a player's old name or mailbox has changed. */
const CLASSES = {
  name: [
    ...COLLISIONS,
    'other spelling in the game',
    'several spellings in the game',
    'name in the game',
    'spaces at the end',
    'bytes',
  ],
  mailbox: [SHARED, 'mailbox', 'hash', 'no way in'],
};

interface Current {
  password: string;
  email: string | null;
  enteredAt: string | Date | null;
}

interface Change {
  old: OldPlayer;
  id: number;
}

/** Updates imported players whose old row has changed. Changes that players made here are kept. */
export class PlayerUpdater {
  private readonly renamed = new Map<string, Change>();
  private readonly remailed = new Map<string, Change>();

  constructor(private readonly context: ImportContext) {}

  /**
   * Applies all changes before new players are imported, who may want the names and mailboxes that others gave up.
   * Names and mailboxes change last, in one transaction each, because players may have swapped them.
   */
  async run(): Promise<number> {
    const { players, target } = this.context;
    let count = 0;
    for (const { after, upTo, checksum } of await loadSegments(target, players.numericKey)) {
      const isNew = checksum === undefined && players.numericKey;
      if (isNew || (upTo && (await players.checksum(after, upTo)) === checksum)) continue;
      for await (const rows of players.readChunks(after, upTo))
        count += await this.updateRows(rows);
    }
    await this.decideNames();
    const freed = await this.decideMailboxes([...this.remailed.values()]);
    await this.decideMailboxes(await this.findWaiting(freed));
    return count;
  }

  private async updateRows(rows: OldRow[]): Promise<number> {
    const { target, oldRowOptions } = this.context;
    return target.transaction(async (manager) => {
      const imported = await findImported(
        manager,
        rows.map(({ key }) => key),
      );
      let count = 0;
      for (const row of rows) {
        const moved = imported.get(row.key);
        if (!moved || moved.rowSum === row.sum) continue;
        if (moved.playerId !== null) count++;
        const old = toOldPlayer(row, oldRowOptions);
        const isDone =
          moved.playerId === null || (await this.updatePlayer(manager, old, moved, moved.playerId));
        // The other rows count as changed until their name and mailbox are decided.
        if (isDone) await this.updateImported(manager, old.key, `row_sum = ${old.sum}`);
      }
      return count;
    });
  }

  /** Returns whether the player's name and mailbox need no new decision. */
  private async updatePlayer(
    manager: EntityManager,
    old: OldPlayer,
    moved: ImportedPlayer,
    id: number,
  ): Promise<boolean> {
    // The lock prevents a concurrent closing, because the update must not restore data that a closing removed.
    await lockPlayer(manager, id);
    const [current] = await manager.query<Current[]>(
      `SELECT password, email, entered_at AS enteredAt FROM player WHERE id = ${id} AND closed_at IS NULL`,
    );
    if (!current) return true;
    await this.updateBan(manager, old, moved, id);
    await clearFindings(this.context, manager, [NOT_MOVED], old.key);
    if (old.isSkipped) {
      const notes = old.notes.map((note) => ({ ...note, rule: KEPT }));
      await storeFindings(this.context, manager, playerFindings(old, notes));
      return true;
    }
    const hasNewHash = await this.updatePassword(manager, old, moved, current, id);
    const { target } = this.context;
    await this.set(manager, id, `agent_id = ${target.literal(old.agentId)}`);
    // The time here is later if the player has entered a game since the import.
    if (old.lastLogin && (!current.enteredAt || toTime(current.enteredAt)! < old.lastLogin))
      await this.set(
        manager,
        id,
        `entered_at = ${target.literal(old.lastLogin)}, server_id = ${target.literal(old.serverId)}`,
      );
    const change = { old, id };
    if (moved.nameSum !== 0 && moved.nameSum !== nameSum(old)) this.renamed.set(old.key, change);
    const isNew = old.email !== current.email && crcOf(old.email) !== moved.emailSum;
    const isAsWritten = crcOf(current.email) === moved.emailSum;
    if (isNew && !isAsWritten) await this.noteKept(manager, old, 'mailbox');
    if (isAsWritten && (isNew || hasNewHash)) this.remailed.set(old.key, change);
    return !this.renamed.has(old.key) && !this.remailed.has(old.key);
  }

  private async updatePassword(
    manager: EntityManager,
    old: OldPlayer,
    moved: ImportedPlayer,
    { password }: Current,
    id: number,
  ): Promise<boolean> {
    if (old.password === password || moved.passwordSum === crcOf(old.password)) return false;
    if (crcOf(password) !== moved.passwordSum) {
      await this.noteKept(manager, old, 'password');
      return false;
    }
    const hash = this.context.target.literal(old.password);
    await this.set(manager, id, `password = ${hash}, ver = ver + 1, imported = 1`);
    await this.updateImported(manager, old.key, `password_sum = ${crcOf(old.password)}`);
    return true;
  }

  /** Takes away the names that changed, and assigns names as if these players were imported now. */
  private decideNames(): Promise<void> {
    const { target } = this.context;
    return target.transaction(async (manager) => {
      const changes = await this.lockOpen(manager, [...this.renamed.values()]);
      for (const { old, id } of changes) {
        const free = `account = '~import~${id}', game_account = NULL`;
        const wasClosed = `EXISTS (SELECT 1 FROM import_finding WHERE class = 'closed' AND old_key = x'${old.key}')`;
        const reopened = `CASE WHEN ${wasClosed} THEN NULL ELSE disabled_at END`;
        await this.set(manager, id, `${free}, disabled_at = ${reopened}`);
        await runStatement(manager, `DELETE FROM player_alias WHERE player_id = ${id}`);
        await clearFindings(this.context, manager, CLASSES.name, old.key);
      }
      const plan = await this.plan(manager, changes);
      for (const { old, id } of changes) {
        const { account, alias, gameAccount, closed, notes } = plan.decide(old);
        const names = `account = ${target.literal(account)}, game_account = ${target.literal(gameAccount)}`;
        const disabled = closed ? `, disabled_at = ${target.literal(new Date())}` : '';
        await this.set(manager, id, `${names}${disabled}`);
        if (alias !== null)
          await runStatement(
            manager,
            `INSERT INTO player_alias (name, player_id) VALUES (${target.literal(alias)}, ${id})`,
          );
        await this.replaceFindings(manager, old, CLASSES.name, notes);
        const isDone = this.remailed.has(old.key) ? '' : `, row_sum = ${old.sum}`;
        await this.updateImported(manager, old.key, `name_sum = ${nameSum(old)}${isDone}`);
      }
    });
  }

  /** Takes away the mailboxes that changed, assigns mailboxes again, and returns those that nobody got. */
  private decideMailboxes(wanting: Change[]): Promise<Set<string>> {
    const { target } = this.context;
    return target.transaction(async (manager) => {
      const freed = new Set<string>();
      const changes = await this.lockOpen(manager, wanting);
      for (const { id } of changes) {
        const [current] = await manager.query<Current[]>(
          `SELECT email FROM player WHERE id = ${id}`,
        );
        if (current?.email) freed.add(current.email);
        await this.set(manager, id, 'email = NULL');
      }
      const plan = await this.plan(manager, changes);
      for (const { old, id } of changes) {
        const { email, notes } = plan.decide(old);
        freed.delete(email ?? '');
        await this.set(manager, id, `email = ${target.literal(email)}`);
        await this.replaceFindings(manager, old, CLASSES.mailbox, notes);
        const sums = `email_sum = ${crcOf(email)}, row_sum = ${old.sum}`;
        await this.updateImported(manager, old.key, sums);
      }
      return freed;
    });
  }

  /** Returns the players who share one of these mailboxes and did not get it before. */
  private async findWaiting(freed: ReadonlySet<string>): Promise<Change[]> {
    if (freed.size === 0) return [];
    const { target, players, oldRowOptions } = this.context;
    const rows = await target.query<{ oldKey: string; detail: string; id: number }>(
      `SELECT LOWER(HEX(f.old_key)) AS oldKey, f.detail, m.player_id AS id
         FROM import_finding f JOIN import_player m ON m.old_key = f.old_key
         JOIN player p ON p.id = m.player_id
        WHERE f.class = ${target.literal(SHARED)} AND p.email IS NULL AND p.closed_at IS NULL
          AND m.email_sum = ${crcOf(null)}`,
    );
    const waiting = new Map(
      rows
        .filter(({ detail }) => freed.has(detail.split(' ', 1)[0]!))
        .map(({ oldKey, id }) => [oldKey, id]),
    );
    const old = await players.readByKeys([...waiting.keys()]);
    return old
      .map((row) => toOldPlayer(row, oldRowOptions))
      .filter(({ isSkipped, email }) => !isSkipped && email !== null)
      .map((each) => ({ old: each, id: waiting.get(each.key)! }));
  }

  private async lockOpen(manager: EntityManager, changes: Change[]): Promise<Change[]> {
    const open = await lockOpenPlayers(
      manager,
      changes.map(({ id }) => id),
    );
    return changes.filter(({ id }) => open.has(id));
  }

  private plan(manager: EntityManager, changes: Change[]): Promise<ImportPlan> {
    const batches: OldPlayer[][] = [];
    for (let at = 0; at < changes.length; at += BATCH_SIZE)
      batches.push(changes.slice(at, at + BATCH_SIZE).map(({ old }) => old));
    return ImportPlan.make(this.context, manager, () => batches);
  }

  private async replaceFindings(
    manager: EntityManager,
    old: OldPlayer,
    classes: string[],
    notes: Note[],
  ): Promise<void> {
    await clearFindings(this.context, manager, classes, old.key);
    const fresh = notes.filter((note) => classes.includes(note.class));
    await storeFindings(this.context, manager, playerFindings(old, fresh));
  }

  /** Lifts the imported ban if the old ban has changed, and adds the new ban. */
  async updateBan(
    manager: EntityManager,
    old: OldPlayer,
    moved: Pick<ImportedPlayer, 'banSum'>,
    id: number,
  ): Promise<boolean> {
    const { ban } = old;
    const sum = banSum(ban);
    if (moved.banSum === sum) return false;
    const { target } = this.context;
    const now = target.literal(new Date());
    await runStatement(
      manager,
      `UPDATE player_ban SET lifted_at = ${now}, lift_mailed_at = ${now}
        WHERE player_id = ${id} AND created_by = 'import' AND lifted_at IS NULL`,
    );
    // The service ends the sessions of players who have signed in here, and mails them. Others still play elsewhere.
    const appliedAt = `(SELECT CASE WHEN imported = 1 AND NOT EXISTS (SELECT 1 FROM session WHERE player_id = ${id})
        THEN ${now} END FROM player WHERE id = ${id})`;
    const bans = ban ? [{ playerId: id, ban }] : [];
    if (ban) await runStatement(manager, insertBansSql(bans, appliedAt, target));
    await clearFindings(this.context, manager, [BAN_END], old.key);
    await storeFindings(this.context, manager, playerFindings(old, banNotes(ban)));
    await this.updateImported(manager, old.key, `ban_sum = ${sum}`);
    return true;
  }

  async forget(manager: EntityManager, key: string): Promise<void> {
    const which = `WHERE old_key = x'${key}'`;
    await runStatement(manager, `DELETE FROM import_player ${which}`);
    await runStatement(manager, `DELETE FROM import_finding ${which}`);
  }

  private async noteKept(manager: EntityManager, old: OldPlayer, what: string): Promise<void> {
    const kind = `${what} changed here since`;
    await clearFindings(this.context, manager, [kind], old.key);
    const note = { class: kind, detail: 'changed in both; the one here is the newer', rule: KEPT };
    await storeFindings(this.context, manager, playerFindings(old, [note]));
  }

  private async set(manager: EntityManager, id: number, what: string): Promise<void> {
    await runStatement(manager, `UPDATE player SET ${what} WHERE id = ${id}`);
  }

  private async updateImported(manager: EntityManager, key: string, what: string): Promise<void> {
    await runStatement(manager, `UPDATE import_player SET ${what} WHERE old_key = x'${key}'`);
  }
}
