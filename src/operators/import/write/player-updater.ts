import type { EntityManager } from 'typeorm';
import { lockPlayer } from '../../../platform/auth/player-row-lock.js';
import { batchesOf, runStatement, toTime } from '../../../platform/database/sql.js';
import { findObstacle, ImportPlan, NOT_MOVED } from '../decide/import-plan.js';
import { COLLISIONS } from '../decide/present-players.js';
import {
  BAN_END,
  findingOf,
  type OldPlayer,
  type OldRow,
  toOldPlayer,
} from '../read/old-player-row.js';
import type { ImportContext } from '../target/import-context.js';
import { replaceFindings } from '../target/import-findings.js';
import {
  banSum,
  crcOf,
  findImported,
  type ImportedPlayer,
  type KeyRange,
  lockOpenPlayers,
  nameSumOf,
  readOldPlayers,
  readPending,
} from '../target/imported-players.js';
import { insertBansSql } from './player-importer.js';

const KEPT = 'kept as it is here';
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
  mailbox: ['shared mailbox', 'mailbox', 'hash', 'no way in'],
};

type Change = { old: OldPlayer; id: number };

/** Updates imported players whose old row has changed. Changes that players made here are kept. */
export class PlayerUpdater {
  private readonly renamed = new Map<string, Change>();
  private readonly remailed = new Map<string, Change>();
  /** Holds the spellings of renamed players who already have the roles of the new name. */
  private readonly owned = new Set<string>();

  constructor(private readonly context: ImportContext) {}

  /**
   * Applies all changes before new players are imported, because these may want the names and mailboxes that others
   * gave up. Names and mailboxes change last, in one transaction each, because players may have swapped them.
   */
  async run(ranges: KeyRange[]): Promise<number> {
    const { players, game, target } = this.context;
    let count = 0;
    for await (const { rows } of players.readChunks(ranges.filter(({ isKnown }) => isKnown)))
      count += await this.updateRows(rows);
    // The plan for the renamed players does not contain new players, who may match the game's only spelling as well.
    const isDoubtful = ({ old: { name } }: Change) =>
      game.spellingOf(name) !== game.exactSpellingOf(name);
    if ([...this.renamed.values()].some(isDoubtful))
      for await (const chunk of readPending(this.context, ranges))
        for (const old of chunk)
          if (!findObstacle(this.context, old))
            for (const { seen } of game.spellingsOf(old.name)) game.wanted.add(seen);
    for (const spelling of this.owned) game.wanted.delete(spelling);
    await this.decideNames();
    game.wanted.clear();
    // Players who wait for a mailbox get it in the transaction that frees it, because no later run sees it.
    await target.transaction(async (manager) => {
      const freed = await this.assignMailboxes(manager, [...this.remailed.values()]);
      await this.assignMailboxes(manager, await this.findWaiting(manager, freed));
    });
    return count;
  }

  /** Updates the players whose row or, if `withBans` is set, ban in another table has changed, and returns their number. */
  async updateRows(rows: OldRow[], withBans = false): Promise<number> {
    return this.context.target.transaction(async (manager) => {
      const imported = await findImported(manager, rows);
      let count = 0;
      for (const row of rows) {
        const moved = imported.get(row.key);
        if (!moved || (moved.rowSum === row.sum && !withBans)) continue;
        const old = toOldPlayer(row, this.context);
        if (moved.rowSum === row.sum && moved.banSum === banSum(old.ban)) continue;
        if (moved.playerId === null) await this.noteObstacle(manager, old);
        else count++;
        const isDone =
          moved.playerId === null || (await this.updatePlayer(manager, old, moved, moved.playerId));
        // The other rows count as changed until their name and mailbox are decided.
        const done = isDone ? `, row_sum = ${old.sum}` : '';
        await this.updateImported(manager, old.key, `ban_sum = ${banSum(old.ban)}${done}`);
      }
      return count;
    });
  }

  /** Records and returns whether the old row can no longer be imported. */
  private async noteObstacle(manager: EntityManager, old: OldPlayer, change = {}) {
    const obstacle = findObstacle(this.context, old);
    const findings = obstacle ? [{ ...obstacle, ...change }] : [];
    await replaceFindings(this.context, manager, [NOT_MOVED], findings, old.key);
    return obstacle !== undefined;
  }

  /** Updates a player, and returns whether the name and mailbox need no new decision. */
  private async updatePlayer(
    manager: EntityManager,
    old: OldPlayer,
    moved: ImportedPlayer,
    id: number,
  ): Promise<boolean> {
    // The lock prevents a concurrent closing, because the update must not restore data that a closing removed.
    await lockPlayer(manager, id);
    const [current] = await manager.query<
      Array<{
        password: string;
        email: string | null;
        enteredAt: unknown;
        gameAccount: string | null;
      }>
    >(
      `SELECT password, email, entered_at AS enteredAt, game_account AS gameAccount
         FROM player WHERE id = ${id} AND closed_at IS NULL`,
    );
    if (!current) return true;
    if (moved.banSum !== banSum(old.ban)) await this.updateBan(manager, old, id);
    if (moved.rowSum === old.sum) return true;
    if (await this.noteObstacle(manager, old, { rule: KEPT })) return true;
    const { target } = this.context;
    const sum = crcOf(old.password);
    const isChanged = old.password !== current.password && sum !== moved.passwordSum;
    const hasNewHash = isChanged && crcOf(current.password) === moved.passwordSum;
    if (isChanged && !hasNewHash) await this.noteKept(manager, old, 'password');
    if (hasNewHash) {
      const hash = target.literal(old.password);
      await this.set(manager, id, `password = ${hash}, ver = ver + 1, imported = 1`);
      await this.updateImported(manager, old.key, `password_sum = ${sum}`);
    }
    // The time here is later if the player has entered a game since the import.
    const isLater = old.lastLogin && (toTime(current.enteredAt) ?? 0) < old.lastLogin;
    const entry = `, entered_at = ${target.literal(old.lastLogin)}, server_id = ${old.serverId}`;
    await this.set(manager, id, `agent_id = ${old.agentId}${isLater ? entry : ''}`);
    const { nameSum } = moved;
    if (nameSum !== 0 && nameSum !== nameSumOf(old.name)) {
      this.renamed.set(old.key, { old, id });
      const { gameAccount } = current;
      if (this.context.game.spellingOf(old.name) === gameAccount) this.owned.add(gameAccount);
    }
    const isNew = old.email !== current.email && crcOf(old.email) !== moved.emailSum;
    const isAsWritten = crcOf(current.email) === moved.emailSum;
    if (isNew && !isAsWritten) await this.noteKept(manager, old, 'mailbox');
    if (isAsWritten && (isNew || hasNewHash)) this.remailed.set(old.key, { old, id });
    return !this.renamed.has(old.key) && !this.remailed.has(old.key);
  }

  /** Clears the names that changed, and assigns names as if these players were imported now. */
  private decideNames(): Promise<void> {
    const { target } = this.context;
    return target.transaction(async (manager) => {
      const changes = await lockOpenPlayers(manager, [...this.renamed.values()]);
      for (const { old, id } of changes) {
        const free = `account = '~import~${id}', game_account = NULL`;
        const wasClosed = `EXISTS (SELECT 1 FROM import_finding WHERE class = 'closed' AND old_key = x'${old.key}')`;
        const reopened = `CASE WHEN ${wasClosed} THEN NULL ELSE disabled_at END`;
        await this.set(manager, id, `${free}, disabled_at = ${reopened}`);
        await runStatement(manager, `DELETE FROM player_alias WHERE player_id = ${id}`);
        await replaceFindings(this.context, manager, CLASSES.name, [], old.key);
      }
      const plan = await this.plan(manager, changes);
      for (const { old, id } of changes) {
        const { account, alias, gameAccount, closed, findings } = plan.decide(old);
        const names = `account = ${target.literal(account)}, game_account = ${target.literal(gameAccount)}`;
        const disabled = closed ? `, disabled_at = ${target.literal(new Date())}` : '';
        await this.set(manager, id, names + disabled);
        const sql = `INSERT INTO player_alias (name, player_id) VALUES (${target.literals([alias, id])})`;
        if (alias !== null) await runStatement(manager, sql);
        await replaceFindings(this.context, manager, CLASSES.name, findings, old.key);
        const isDone = this.remailed.has(old.key) ? '' : `, row_sum = ${old.sum}`;
        await this.updateImported(manager, old.key, `name_sum = ${nameSumOf(old.name)}${isDone}`);
      }
    });
  }

  /** Clears the mailboxes that changed, assigns mailboxes again, and returns those that nobody got. */
  private async assignMailboxes(manager: EntityManager, wanting: Change[]): Promise<Set<string>> {
    const freed = new Set<string>();
    const changes = await lockOpenPlayers(manager, wanting);
    for (const { id } of changes) {
      const [current] = await manager.query<Array<{ email: string | null }>>(
        `SELECT email FROM player WHERE id = ${id}`,
      );
      if (current?.email) freed.add(current.email);
      await this.set(manager, id, 'email = NULL');
    }
    const plan = await this.plan(manager, changes);
    for (const { old, id } of changes) {
      const { email, findings } = plan.decide(old);
      freed.delete(email ?? '');
      await this.set(manager, id, `email = ${this.context.target.literal(email)}`);
      await replaceFindings(this.context, manager, CLASSES.mailbox, findings, old.key);
      const sums = `email_sum = ${crcOf(email)}, row_sum = ${old.sum}`;
      await this.updateImported(manager, old.key, sums);
    }
    return freed;
  }

  /** Returns the players who share one of these mailboxes and did not get it before. */
  private async findWaiting(manager: EntityManager, freed: Set<string>): Promise<Change[]> {
    if (freed.size === 0) return [];
    const rows = await manager.query<Array<{ oldKey: string; detail: string; id: number }>>(
      `SELECT LOWER(HEX(f.old_key)) AS oldKey, f.detail, m.player_id AS id
         FROM import_finding f JOIN import_player m ON m.old_key = f.old_key
         JOIN player p ON p.id = m.player_id
        WHERE f.class = 'shared mailbox' AND p.email IS NULL AND p.closed_at IS NULL
          AND m.email_sum = ${crcOf(null)}`,
    );
    const waiting = rows.filter(({ detail }) => freed.has(detail.split(' ', 1)[0]!));
    const found = await readOldPlayers(this.context, waiting);
    return found.filter(({ old }) => !findObstacle(this.context, old) && old.email !== null);
  }

  private plan(manager: EntityManager, changes: Change[]): Promise<ImportPlan> {
    const players = changes.map(({ old }) => old);
    return ImportPlan.make(this.context, manager, () => batchesOf(players));
  }

  /** Lifts the imported ban, and adds the new one. */
  private async updateBan(manager: EntityManager, old: OldPlayer, id: number): Promise<void> {
    const { ban } = old;
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
    if (ban) await runStatement(manager, insertBansSql([{ playerId: id, ban }], appliedAt, target));
    await replaceFindings(this.context, manager, [BAN_END], old.findings, old.key);
  }

  private async noteKept(manager: EntityManager, old: OldPlayer, what: string): Promise<void> {
    const kind = `${what} changed here since`;
    const detail = 'changed in both; the one here is the newer';
    const finding = findingOf(old, kind, detail, KEPT);
    await replaceFindings(this.context, manager, [kind], [finding], old.key);
  }

  private async set(manager: EntityManager, id: number, what: string): Promise<void> {
    await runStatement(manager, `UPDATE player SET ${what} WHERE id = ${id}`);
  }

  private async updateImported(manager: EntityManager, key: string, what: string): Promise<void> {
    await runStatement(manager, `UPDATE import_player SET ${what} WHERE old_key = x'${key}'`);
  }
}
