import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isSameAccount } from '../../auth/account-name.js';
import { isNameInGame } from '../../auth/game-name.js';
import { Player } from '../../auth/player.entity.js';
import { isDuplicate } from '../../database/database-errors.js';
import { lockPlayer } from '../../database/player-lock.js';
import { inTransaction } from '../../database/transaction.js';
import { EMAIL_RULES } from '../../http/validation/email-field.decorator.js';
import { textProblem } from '../../http/validation/field-rules.js';
import { ActRefused } from '../../journal/act-refused.js';
import { AuditBook, type Operator } from '../../journal/audit-book.js';
import { PlayerLink } from '../../links/player-link.entity.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { NEW_ACCOUNT_RULES, NEW_PASSWORD_RULES } from '../dto/account-field.decorator.js';
import { LoginAddress } from '../login-address.entity.js';
import { NO_PASSWORD, Passwords } from '../passwords.js';
import { subjectOfPlayer } from '../player-edits.js';
import { GameSpelling } from './game-spelling.js';

type State = Record<string, unknown>;
type Step = (manager: EntityManager, player: Player) => Promise<{ before: State; after: State }>;

/** What operators do about an account. Each act is one transaction with its `audit_event`. */
@Injectable()
export class PlayerActs {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditBook,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly spelling: GameSpelling,
  ) {}

  disable(who: Operator, id: number): Promise<void> {
    return this.act(who, 'player.disable', id, async (manager, player) => {
      if (player.disabledAt) throw new ActRefused(`${player.account} is disabled already`);
      const disabledAt = new Date();
      await manager.update(Player, { id }, { disabledAt });
      return { before: { disabled_at: null }, after: { disabled_at: disabledAt.toISOString() } };
    });
  }

  enable(who: Operator, id: number): Promise<void> {
    return this.act(who, 'player.enable', id, async (manager, { account, disabledAt }) => {
      if (!disabledAt) throw new ActRefused(`${account} is not disabled`);
      await manager.update(Player, { id }, { disabledAt: null });
      return { before: { disabled_at: disabledAt.toISOString() }, after: { disabled_at: null } };
    });
  }

  /** Ends every session and every JWT. The old-format token is the password's hash, and ends only with it. */
  signOut(who: Operator, id: number): Promise<void> {
    return this.act(who, 'player.sign-out', id, (manager, player) =>
      this.endTokens(manager, player),
    );
  }

  async setEmail(who: Operator, id: number, given: string): Promise<void> {
    const email = given.toLowerCase();
    refuse('the mailbox', textProblem(email, EMAIL_RULES));
    return this.act(who, 'player.set-email', id, async (manager, player) => {
      await manager.update(Player, { id }, { email });
      return { before: { email: player.email }, after: { email } };
    });
  }

  async setPassword(who: Operator, id: number, password: string): Promise<void> {
    refuse('the password', textProblem(password, NEW_PASSWORD_RULES));
    return this.act(who, 'player.set-password', id, async (manager, player) => {
      await manager.update(Player, { id }, { password: this.passwords.hash(password) });
      return this.endTokens(manager, player);
    });
  }

  unlink(who: Operator, id: number, provider: string): Promise<void> {
    return this.act(who, 'player.unlink', id, async (manager, { account }) => {
      const link = await manager.findOneBy(PlayerLink, { playerId: id, provider });
      if (!link) throw new ActRefused(`${account} has no identity of ${provider}`);
      await manager.delete(PlayerLink, { playerId: id, provider });
      return { before: { links: [asState(link)] }, after: { links: [] } };
    });
  }

  /**
   * A new name, under which the player keeps the roles of the old one. That stays taken, by an account that nobody can
   * use: whoever registered it would be taken for this player in the game. Ends every JWT, since they bear the name.
   * `inGame` is how the game writes the old one, where the zones cannot tell.
   */
  async rename(who: Operator, id: number, to: string, inGame?: string): Promise<void> {
    refuse('the name', textProblem(to, NEW_ACCOUNT_RULES));
    const seen = await this.dataSource.manager.findOneBy(Player, { id });
    // Before the transaction: no row is locked while the zones are read.
    const gameAccount = seen && (await this.spelling.of(seen, inGame));
    return this.act(who, 'player.rename', id, async (manager, player) => {
      const { account: from } = player;
      if (from === to) throw new ActRefused(`it is called ${to} already`);
      if (await isNameInGame(manager, to, id))
        throw new ActRefused(`another player has roles under the name ${to}`);
      if (seen?.account !== from || seen.gameAccount !== player.gameAccount)
        throw new ActRefused('somebody else renamed it meanwhile');
      await manager.update(Player, { id }, { account: to, gameAccount });
      if (!isSameAccount(from, to))
        await manager.insert(Player, {
          account: from,
          password: NO_PASSWORD,
          disabledAt: new Date(),
        });
      const before = { account: from, game_account: player.gameAccount };
      return { before, after: { account: to, game_account: gameAccount } };
    });
  }

  /**
   * Somebody else has the account: ends every token of every kind, the password with them, all links and the trust in
   * addresses. The owner comes back by resetting the password, through the mailbox there is or the one given here.
   */
  async secure(who: Operator, id: number, given?: string): Promise<void> {
    if (given !== undefined) refuse('the mailbox', textProblem(given.toLowerCase(), EMAIL_RULES));
    return this.act(who, 'player.secure', id, async (manager, player) => {
      const email = given?.toLowerCase() ?? player.email;
      if (email === null)
        throw new ActRefused(
          `${player.account} has no mailbox: without one the owner cannot come back`,
        );
      const links = await manager.findBy(PlayerLink, { playerId: id });
      await manager.update(Player, { id }, { email, password: NO_PASSWORD });
      await manager.delete(PlayerLink, { playerId: id });
      await manager.delete(LoginAddress, { playerId: id });
      const { before, after } = await this.endTokens(manager, player);
      return {
        before: { ...before, email: player.email, links: links.map(asState) },
        after: { ...after, email, links: [], password: 'none' },
      };
    });
  }

  private async endTokens(manager: EntityManager, { id, ver }: Player) {
    await manager.update(Player, { id }, { ver: () => 'ver + 1' });
    const sessions = await this.sessions.endOthers(id, undefined, manager);
    return { before: { ver, sessions }, after: { ver: ver + 1, sessions: 0 } };
  }

  private async act(who: Operator, act: string, id: number, step: Step): Promise<void> {
    try {
      await inTransaction(this.dataSource, async (manager) => {
        await lockPlayer(manager, id);
        const player = await manager.findOneBy(Player, { id });
        if (!player) throw new ActRefused(`there is no player ${id}`);
        const change = await step(manager, player);
        await this.audit.write(manager, who, { act, subject: subjectOfPlayer(id), ...change });
      });
    } catch (error) {
      if (isDuplicate(error)) throw new ActRefused('another account has it', { cause: error });
      throw error;
    }
  }
}

function asState({ provider, connectId }: PlayerLink): State {
  return { provider, connect_id: connectId };
}

function refuse(what: string, problem: string | undefined): void {
  if (problem !== undefined) throw new ActRefused(`${what} ${problem}`);
}
