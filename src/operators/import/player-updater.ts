import type { EntityManager } from 'typeorm';
import { isSameAccount } from '../../platform/auth/account-name.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { runStatement } from '../../platform/database/statement.js';
import { type OldPlayer, NO_PASSWORD } from './old-player.js';
import { BAN_STATE, crcOf, toDraft } from './player-draft.js';
import { type ImportContext, reportFinding } from './import-context.js';

/** A row of `import_player`. */
export interface ImportedPlayer {
  playerId: number | null;
  rowSum: number;
  passwordSum: number;
  emailSum: number;
  banned: number;
}

interface Current {
  account: string;
  password: string;
  email: string | null;
  enteredAt: string | Date | null;
  disabledAt: unknown;
}

/** Brings players up to date whose old row changed since they were moved. What they changed here is kept. */
export class PlayerUpdater {
  constructor(private readonly context: ImportContext) {}

  async update(manager: EntityManager, old: OldPlayer, moved: ImportedPlayer): Promise<void> {
    if (moved.playerId !== null) await this.updatePlayer(manager, old, moved, moved.playerId);
    await runStatement(
      manager,
      `UPDATE import_player SET row_sum = ${old.sum} WHERE old_key = x'${old.key.toString('hex')}'`,
      [],
    );
  }

  private async updatePlayer(
    manager: EntityManager,
    old: OldPlayer,
    moved: ImportedPlayer,
    id: number,
  ): Promise<void> {
    const [current] = await manager.query<Current[]>(
      `SELECT account, password, email, entered_at AS enteredAt, disabled_at AS disabledAt
         FROM player WHERE id = ${id}`,
    );
    if (!current) return;
    await this.updatePassword(manager, old, moved, current, id);
    await this.updateMailbox(manager, old, moved, current, id);
    await this.updateName(manager, old, current, id);
    await this.updateBan(manager, old, moved, id);
    const { target } = this.context;
    await this.set(manager, id, `agent_id = ${target.literal(old.agentId)}`);
    // Whoever has been in a game here since then has a later time than the old service knows.
    if (old.lastLogin && (!current.enteredAt || timeOf(current.enteredAt) < old.lastLogin))
      await this.set(
        manager,
        id,
        `entered_at = ${target.literal(old.lastLogin)}, server_id = ${target.literal(old.serverId)}`,
      );
  }

  private async updatePassword(
    manager: EntityManager,
    old: OldPlayer,
    moved: ImportedPlayer,
    { password }: Current,
    id: number,
  ): Promise<void> {
    if (old.password === password || old.password === NO_PASSWORD) return;
    if (crcOf(password) !== moved.passwordSum)
      return this.reportKept(old, moved.passwordSum === crcOf(old.password), 'password');
    const hash = this.context.target.literal(old.password);
    await this.set(manager, id, `password = ${hash}, ver = ver + 1`);
    await this.updateImported(manager, id, `password_sum = ${crcOf(old.password)}`);
  }

  private async updateMailbox(
    manager: EntityManager,
    old: OldPlayer,
    moved: ImportedPlayer,
    { email }: Current,
    id: number,
  ): Promise<void> {
    if (old.email === email || crcOf(old.email) === moved.emailSum) return;
    if (crcOf(email) !== moved.emailSum) return this.reportKept(old, false, 'mailbox');
    try {
      await this.set(manager, id, `email = ${this.context.target.literal(old.email)}`);
      await this.updateImported(manager, id, `email_sum = ${crcOf(old.email)}`);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  private async updateName(
    manager: EntityManager,
    old: OldPlayer,
    { account }: Current,
    id: number,
  ): Promise<void> {
    if (isSameAccount(account, old.account) || account.includes('~')) return;
    try {
      const { game, target } = this.context;
      const { account: name, gameAccount } = toDraft(old, game);
      const set = `account = ${target.literal(name)}, game_account = ${target.literal(gameAccount)}`;
      await this.set(manager, id, set);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      reportFinding(this.context, old, {
        class: 'renamed in the old database',
        detail: `is ${account} here, and the new name is taken`,
        rule: 'kept as it is here',
      });
    }
  }

  private async updateBan(
    manager: EntityManager,
    old: OldPlayer,
    moved: ImportedPlayer,
    id: number,
  ) {
    if (moved.banned === BAN_STATE.byRule || (moved.banned === BAN_STATE.before) === old.banned)
      return;
    await this.setBan(manager, id, old.banned);
  }

  async setBan(manager: EntityManager, id: number, banned: boolean): Promise<void> {
    const now = this.context.target.literal(new Date());
    await this.set(
      manager,
      id,
      `disabled_at = ${banned ? `COALESCE(disabled_at, ${now})` : 'NULL'}`,
    );
    await this.updateImported(manager, id, `banned = ${banned ? BAN_STATE.before : BAN_STATE.no}`);
  }

  private reportKept(old: OldPlayer, unchanged: boolean, what: string): void {
    if (unchanged) return;
    reportFinding(this.context, old, {
      class: `${what} changed here since`,
      detail: 'changed in both; the one here is the newer',
      rule: 'kept as it is here',
    });
  }

  private async set(manager: EntityManager, id: number, what: string): Promise<void> {
    await runStatement(manager, `UPDATE player SET ${what} WHERE id = ${id}`, []);
  }

  private async updateImported(manager: EntityManager, id: number, what: string): Promise<void> {
    await runStatement(manager, `UPDATE import_player SET ${what} WHERE player_id = ${id}`, []);
  }
}

function timeOf(time: string | Date): Date {
  return time instanceof Date ? time : new Date(`${time.replace(' ', 'T')}Z`);
}
