import type { EntityManager } from 'typeorm';
import { isSameAccount } from '../auth/account-name.js';
import { isDuplicate } from '../database/database-errors.js';
import { runStatement } from '../database/statement.js';
import { type OldPlayer, NO_PASSWORD } from './old-player.js';
import { BANNED, sumOf } from './player-draft.js';
import { type Session, tell } from './session.js';

/** A row of `moveover_player`. */
export interface Moved {
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
  constructor(private readonly session: Session) {}

  async update(manager: EntityManager, old: OldPlayer, moved: Moved): Promise<void> {
    if (moved.playerId !== null) await this.updatePlayer(manager, old, moved, moved.playerId);
    await runStatement(
      manager,
      `UPDATE moveover_player SET row_sum = ${old.sum} WHERE old_key = x'${old.key.toString('hex')}'`,
      [],
    );
  }

  private async updatePlayer(
    manager: EntityManager,
    old: OldPlayer,
    moved: Moved,
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
    const { target } = this.session;
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
    moved: Moved,
    { password }: Current,
    id: number,
  ): Promise<void> {
    if (old.password === password || old.password === NO_PASSWORD) return;
    if (sumOf(password) !== moved.passwordSum)
      return this.tellKept(old, moved.passwordSum === sumOf(old.password), 'password');
    const hash = this.session.target.literal(old.password);
    await this.set(manager, id, `password = ${hash}, ver = ver + 1`);
    await this.note(manager, id, `password_sum = ${sumOf(old.password)}`);
  }

  private async updateMailbox(
    manager: EntityManager,
    old: OldPlayer,
    moved: Moved,
    { email }: Current,
    id: number,
  ): Promise<void> {
    if (old.email === email || sumOf(old.email) === moved.emailSum) return;
    if (sumOf(email) !== moved.emailSum) return this.tellKept(old, false, 'mailbox');
    try {
      await this.set(manager, id, `email = ${this.session.target.literal(old.email)}`);
      await this.note(manager, id, `email_sum = ${sumOf(old.email)}`);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
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
      await this.set(manager, id, `account = ${this.session.target.literal(old.account)}`);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      tell(this.session, old, {
        class: 'renamed in the old database',
        detail: `is ${account} here, and the new name is taken`,
        rule: 'kept as it is here',
      });
    }
  }

  private async updateBan(manager: EntityManager, old: OldPlayer, moved: Moved, id: number) {
    if (moved.banned === BANNED.byRule || (moved.banned === BANNED.before) === old.banned) return;
    await this.setBan(manager, id, old.banned);
  }

  async setBan(manager: EntityManager, id: number, banned: boolean): Promise<void> {
    const now = this.session.target.literal(new Date());
    await this.set(
      manager,
      id,
      `disabled_at = ${banned ? `COALESCE(disabled_at, ${now})` : 'NULL'}`,
    );
    await this.note(manager, id, `banned = ${banned ? BANNED.before : BANNED.no}`);
  }

  private tellKept(old: OldPlayer, unchanged: boolean, what: string): void {
    if (unchanged) return;
    tell(this.session, old, {
      class: `${what} changed here since`,
      detail: 'changed in both; the one here is the newer',
      rule: 'kept as it is here',
    });
  }

  private async set(manager: EntityManager, id: number, what: string): Promise<void> {
    await runStatement(manager, `UPDATE player SET ${what} WHERE id = ${id}`, []);
  }

  private async note(manager: EntityManager, id: number, what: string): Promise<void> {
    await runStatement(manager, `UPDATE moveover_player SET ${what} WHERE player_id = ${id}`, []);
  }
}

function timeOf(time: string | Date): Date {
  return time instanceof Date ? time : new Date(`${time.replace(' ', 'T')}Z`);
}
