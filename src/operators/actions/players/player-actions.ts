import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isSameAccount } from '../../../platform/auth/account-name.js';
import { isGameNameTaken } from '../../../platform/auth/game-name.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { lockPlayer } from '../../../platform/auth/player-lock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { EMAIL_RULES } from '../../../platform/http/validation/email-field.decorator.js';
import { textProblem } from '../../../platform/http/validation/field-rules.js';
import { ActionRefused } from '../action-refused.js';
import { AuditLog, type Attribution } from '../../../platform/audit/audit-log.js';
import { PlayerLink } from '../../../features/links/player-link.entity.js';
import { SessionsService } from '../../../features/sessions/sessions.service.js';
import {
  NEW_ACCOUNT_RULES,
  NEW_PASSWORD_RULES,
} from '../../../features/accounts/dto/account-rules.decorator.js';
import { LoginAddress } from '../../../features/accounts/login-address.entity.js';
import { UNUSABLE_PASSWORD, Passwords } from '../../../features/accounts/passwords.js';
import { playerAuditSubject } from './player-subject.js';
import { GameNameResolver } from './game-name-resolver.js';

type AuditState = Record<string, unknown>;
type ActionStep = (
  manager: EntityManager,
  player: Player,
) => Promise<{ before: AuditState; after: AuditState }>;

/** What operators do about an account. Each act is one transaction with its `audit_event`. */
@Injectable()
export class PlayerActions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly gameNames: GameNameResolver,
  ) {}

  disable(who: Attribution, id: number): Promise<void> {
    return this.runAction(who, 'player.disable', id, async (manager, player) => {
      if (player.disabledAt) throw new ActionRefused(`${player.account} is disabled already`);
      const disabledAt = new Date();
      await manager.update(Player, { id }, { disabledAt });
      return { before: { disabled_at: null }, after: { disabled_at: disabledAt.toISOString() } };
    });
  }

  enable(who: Attribution, id: number): Promise<void> {
    return this.runAction(who, 'player.enable', id, async (manager, { account, disabledAt }) => {
      if (!disabledAt) throw new ActionRefused(`${account} is not disabled`);
      await manager.update(Player, { id }, { disabledAt: null });
      return { before: { disabled_at: disabledAt.toISOString() }, after: { disabled_at: null } };
    });
  }

  /** Ends every session and every JWT. The old-format token is the password's hash, and ends only with it. */
  signOut(who: Attribution, id: number): Promise<void> {
    return this.runAction(who, 'player.sign-out', id, (manager, player) =>
      this.endTokens(manager, player),
    );
  }

  async setEmail(who: Attribution, id: number, given: string): Promise<void> {
    const email = given.toLowerCase();
    refuseIfInvalid('the mailbox', textProblem(email, EMAIL_RULES));
    return this.runAction(who, 'player.set-email', id, async (manager, player) => {
      await manager.update(Player, { id }, { email });
      return { before: { email: player.email }, after: { email } };
    });
  }

  async setPassword(who: Attribution, id: number, password: string): Promise<void> {
    refuseIfInvalid('the password', textProblem(password, NEW_PASSWORD_RULES));
    return this.runAction(who, 'player.set-password', id, async (manager, player) => {
      await manager.update(Player, { id }, { password: this.passwords.hash(password) });
      return this.endTokens(manager, player);
    });
  }

  unlink(who: Attribution, id: number, provider: string): Promise<void> {
    return this.runAction(who, 'player.unlink', id, async (manager, { account }) => {
      const link = await manager.findOneBy(PlayerLink, { playerId: id, provider });
      if (!link) throw new ActionRefused(`${account} has no identity of ${provider}`);
      await manager.delete(PlayerLink, { playerId: id, provider });
      return { before: { links: [linkState(link)] }, after: { links: [] } };
    });
  }

  /**
   * A new name, under which the player keeps the roles of the old one. That stays taken, by an account that nobody can
   * use: whoever registered it would be taken for this player in the game. Ends every JWT, since they bear the name.
   * `inGame` is how the game writes the old one, where the servers cannot tell.
   */
  async rename(who: Attribution, id: number, to: string, inGame?: string): Promise<void> {
    refuseIfInvalid('the name', textProblem(to, NEW_ACCOUNT_RULES));
    const seen = await this.dataSource.manager.findOneBy(Player, { id });
    // Before the transaction: no row is locked while the servers are read.
    const gameAccount = seen && (await this.gameNames.resolve(seen, inGame));
    return this.runAction(who, 'player.rename', id, async (manager, player) => {
      const { account: from } = player;
      if (from === to) throw new ActionRefused(`it is called ${to} already`);
      if (await isGameNameTaken(manager, to, id))
        throw new ActionRefused(`another player has roles under the name ${to}`);
      if (seen?.account !== from || seen.gameAccount !== player.gameAccount)
        throw new ActionRefused('somebody else renamed it meanwhile');
      await manager.update(Player, { id }, { account: to, gameAccount });
      if (!isSameAccount(from, to))
        await manager.insert(Player, {
          account: from,
          password: UNUSABLE_PASSWORD,
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
  async secure(who: Attribution, id: number, given?: string): Promise<void> {
    if (given !== undefined)
      refuseIfInvalid('the mailbox', textProblem(given.toLowerCase(), EMAIL_RULES));
    return this.runAction(who, 'player.secure', id, async (manager, player) => {
      const email = given?.toLowerCase() ?? player.email;
      if (email === null)
        throw new ActionRefused(
          `${player.account} has no mailbox: without one the owner cannot come back`,
        );
      const links = await manager.findBy(PlayerLink, { playerId: id });
      await manager.update(Player, { id }, { email, password: UNUSABLE_PASSWORD });
      await manager.delete(PlayerLink, { playerId: id });
      await manager.delete(LoginAddress, { playerId: id });
      const { before, after } = await this.endTokens(manager, player);
      return {
        before: { ...before, email: player.email, links: links.map(linkState) },
        after: { ...after, email, links: [], password: 'none' },
      };
    });
  }

  private async endTokens(manager: EntityManager, { id, ver }: Player) {
    await manager.update(Player, { id }, { ver: () => 'ver + 1' });
    const sessions = await this.sessions.endOthers(id, undefined, manager);
    return { before: { ver, sessions }, after: { ver: ver + 1, sessions: 0 } };
  }

  private async runAction(
    who: Attribution,
    act: string,
    id: number,
    step: ActionStep,
  ): Promise<void> {
    try {
      await inTransaction(this.dataSource, async (manager) => {
        await lockPlayer(manager, id);
        const player = await manager.findOneBy(Player, { id });
        if (!player) throw new ActionRefused(`there is no player ${id}`);
        const change = await step(manager, player);
        await this.audit.write(manager, who, { act, subject: playerAuditSubject(id), ...change });
      });
    } catch (error) {
      if (isDuplicateKey(error))
        throw new ActionRefused('another account has it', { cause: error });
      throw error;
    }
  }
}

function linkState({ provider, connectId }: PlayerLink): AuditState {
  return { provider, connect_id: connectId };
}

function refuseIfInvalid(what: string, problem: string | undefined): void {
  if (problem !== undefined) throw new ActionRefused(`${what} ${problem}`);
}
