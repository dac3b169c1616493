import type { EntityManager } from 'typeorm';
import { isSameAccount } from '../../platform/auth/account-name.js';
import { lockPlayer } from '../../platform/auth/player-lock.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { toTime } from '../../platform/database/sql-time.js';
import { runStatement } from '../../platform/database/statement.js';
import { type OldPlayer, NO_PASSWORD } from './old-player.js';
import type { ImportContext } from './import-context.js';
import { clearFindings, notesOf, storeFindings } from './import-findings.js';
import type { ImportedPlayer } from './imported-players.js';
import { banSum, crcOf, insertBansSql } from './player-draft.js';

interface Current {
  account: string;
  password: string;
  email: string | null;
  enteredAt: string | Date | null;
}

interface Update {
  manager: EntityManager;
  old: OldPlayer;
  moved: ImportedPlayer;
  current: Current;
  id: number;
}

/** Updates players whose old row changed since they were imported. Their own changes here are kept. */
export class PlayerUpdater {
  constructor(private readonly context: ImportContext) {}

  async update(manager: EntityManager, old: OldPlayer, moved: ImportedPlayer): Promise<void> {
    if (moved.playerId !== null) await this.updatePlayer(manager, old, moved, moved.playerId);
    await runStatement(
      manager,
      `UPDATE import_player SET row_sum = ${old.sum} WHERE old_key = x'${old.key}'`,
      [],
    );
  }

  private async updatePlayer(
    manager: EntityManager,
    old: OldPlayer,
    moved: ImportedPlayer,
    id: number,
  ): Promise<void> {
    // Waits for a closing, and a closing for this: what was removed must not come back.
    await lockPlayer(manager, id);
    const [current] = await manager.query<Current[]>(
      `SELECT account, password, email, entered_at AS enteredAt
         FROM player WHERE id = ${id} AND closed_at IS NULL`,
    );
    if (!current) return;
    const update = { manager, old, moved, current, id };
    await this.updatePassword(update);
    await this.updateMailbox(update);
    await this.updateName(update);
    await this.updateBan(manager, old, moved, id);
    const { target } = this.context;
    await this.set(manager, id, `agent_id = ${target.literal(old.agentId)}`);
    // A player who entered a game here since then has a later time than the old service knows.
    if (old.lastLogin && (!current.enteredAt || toTime(current.enteredAt)! < old.lastLogin))
      await this.set(
        manager,
        id,
        `entered_at = ${target.literal(old.lastLogin)}, server_id = ${target.literal(old.serverId)}`,
      );
  }

  private async updatePassword({ manager, old, moved, current, id }: Update): Promise<void> {
    const { password } = current;
    if (old.password === password || old.password === NO_PASSWORD) return;
    if (crcOf(password) !== moved.passwordSum)
      return moved.passwordSum === crcOf(old.password)
        ? undefined
        : this.noteKept(manager, old, 'password');
    const hash = this.context.target.literal(old.password);
    await this.set(manager, id, `password = ${hash}, ver = ver + 1, imported = 1`);
    await this.updateImported(manager, id, `password_sum = ${crcOf(old.password)}`);
  }

  private async updateMailbox({ manager, old, moved, current, id }: Update): Promise<void> {
    const { email } = current;
    if (old.email === email || crcOf(old.email) === moved.emailSum) return;
    if (crcOf(email) !== moved.emailSum) return this.noteKept(manager, old, 'mailbox');
    try {
      await this.set(manager, id, `email = ${this.context.target.literal(old.email)}`);
      await this.updateImported(manager, id, `email_sum = ${crcOf(old.email)}`);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  private async updateName({ manager, old, current: { account }, id }: Update): Promise<void> {
    if (isSameAccount(account, old.account) || account.includes('~')) return;
    try {
      const { game, target } = this.context;
      const gameAccount = game.exactSpellingOf(old.name) ?? null;
      const set = `account = ${target.literal(old.account)}, game_account = ${target.literal(gameAccount)}`;
      await this.set(manager, id, set);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await this.note(
        manager,
        old,
        'renamed in the old database',
        `is ${account} here, and the new name is taken`,
      );
    }
  }

  /** Lifts the imported ban if the old one differs now, and adds the new one. */
  async updateBan(
    manager: EntityManager,
    { ban }: Pick<OldPlayer, 'ban'>,
    moved: Pick<ImportedPlayer, 'banSum'>,
    id: number,
  ): Promise<boolean> {
    const sum = banSum(ban);
    if (moved.banSum === sum) return false;
    const { target } = this.context;
    const now = target.literal(new Date());
    await runStatement(
      manager,
      `UPDATE player_ban SET lifted_at = ${now}
        WHERE player_id = ${id} AND created_by = 'import' AND lifted_at IS NULL`,
      [],
    );
    // The player may have signed in here: the service ends those sessions.
    if (ban) await runStatement(manager, insertBansSql([{ playerId: id, ban }], null, target), []);
    await this.updateImported(manager, id, `ban_sum = ${sum}`);
    return true;
  }

  async forget(manager: EntityManager, key: string): Promise<void> {
    const which = `WHERE old_key = x'${key}'`;
    await runStatement(manager, `DELETE FROM import_player ${which}`, []);
    await runStatement(manager, `DELETE FROM import_finding ${which}`, []);
  }

  private noteKept(manager: EntityManager, old: OldPlayer, what: string): Promise<void> {
    const detail = 'changed in both; the one here is the newer';
    return this.note(manager, old, `${what} changed here since`, detail);
  }

  private async note(manager: EntityManager, old: OldPlayer, kind: string, detail: string) {
    await clearFindings(this.context, manager, [kind], old.key);
    const note = { class: kind, detail, rule: 'kept as it is here' };
    await storeFindings(this.context, manager, notesOf(old, [note]));
  }

  private async set(manager: EntityManager, id: number, what: string): Promise<void> {
    await runStatement(manager, `UPDATE player SET ${what} WHERE id = ${id}`, []);
  }

  private async updateImported(manager: EntityManager, id: number, what: string): Promise<void> {
    await runStatement(manager, `UPDATE import_player SET ${what} WHERE player_id = ${id}`, []);
  }
}
