import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { findIdsByName, isSameAccount } from '../../../platform/auth/account-name.js';
import { describeClosing } from '../../../platform/auth/closing-record.js';
import { isGameNameTaken } from '../../../platform/auth/game-name.js';
import { Player } from '../../../platform/auth/player.entity.js';
import type { BanScope } from '../../../platform/auth/ban-scope.js';
import { PlayerBan } from '../../../platform/auth/player-ban.entity.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { lockPlayer } from '../../../platform/auth/player-lock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { EMAIL_RULES } from '../../../platform/http/validation/email-field.decorator.js';
import { textProblem } from '../../../platform/http/validation/field-rules.js';
import { ActionRefused, refuseIfInvalid } from '../action-refused.js';
import { AuditLog, type Attribution } from '../../../platform/audit/audit-log.js';
import { MailboxUndo } from '../../../features/profile/mailbox-undo.entity.js';
import { removeAllFactors } from '../../../features/second-factor/factor-state.js';
import { PlayerLink } from '../../../features/links/player-link.entity.js';
import { SessionsService } from '../../../features/sessions/sessions.service.js';
import {
  NEW_ACCOUNT_RULES,
  NEW_PASSWORD_RULES,
} from '../../../features/accounts/dto/account-rules.decorator.js';
import { LoginAddress } from '../../../features/accounts/login-address.entity.js';
import { UNUSABLE_PASSWORD, Passwords } from '../../../features/accounts/passwords.js';
import { playerAuditSubject } from '../audit-subjects.js';
import { GameNameResolver } from './game-name-resolver.js';
import { PlayerBans } from './player-bans.js';
import { securedMailbox } from './secured-mailbox.js';

type AuditState = Record<string, unknown>;
export interface NewBan {
  scope: BanScope;
  /** Shown to the player. */
  reason: string;
  /** Null: for good. */
  until: Date | null;
}

type ActionStep = (
  manager: EntityManager,
  player: Player,
) => Promise<{ before: AuditState; after: AuditState }>;

/** Acts about an account. Each act is one transaction with its `audit_event`. */
@Injectable()
export class PlayerActions {
  private readonly logger = new Logger(PlayerActions.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly gameNames: GameNameResolver,
    private readonly bans: PlayerBans,
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

  /** Applies at once; the service then ends the sessions and mails the owner. */
  async ban(who: Attribution, id: number, { scope, reason, until }: NewBan): Promise<void> {
    refuseIfInvalid('the reason', textProblem(reason.trim(), { max: 200 }));
    const createdAt = new Date();
    if (until && until <= createdAt) throw new ActionRefused('the end of a ban must be ahead');
    return this.runAction(who, 'player.ban', id, async (manager) => {
      const author = { note: who.note, createdBy: who.by, createdAt };
      const ban = { playerId: id, scope, reason: reason.trim(), until, ...author };
      return {
        before: { bans: [] },
        after: { bans: [banState(await manager.save(PlayerBan, ban))] },
      };
    });
  }

  /** Lifts every ban in force. */
  unban(who: Attribution, id: number): Promise<void> {
    return this.runAction(who, 'player.unban', id, async (manager, { account }) => {
      const bans = await this.bans.findInForce([id], manager);
      if (bans.length === 0) throw new ActionRefused(`${account} is not banned`);
      const lifted = { id: In(bans.map((ban) => ban.id)) };
      await manager.update(PlayerBan, lifted, { liftedAt: new Date() });
      return { before: { bans: bans.map(banState) }, after: { bans: [] } };
    });
  }

  /**
   * Ends every session and every JWT. The old-format token is the password's hash, so it ends only with the password.
   */
  signOut(who: Attribution, id: number): Promise<void> {
    return this.runAction(who, 'player.sign-out', id, (manager, player) =>
      this.endTokens(manager, player),
    );
  }

  async setEmail(who: Attribution, id: number, given: string): Promise<void> {
    const email = given.toLowerCase();
    refuseIfInvalid('the mailbox', textProblem(email, EMAIL_RULES));
    return this.runAction(who, 'player.set-email', id, async (manager, player) => {
      await manager.update(Player, { id }, { email, withdrawPausedAt: new Date() });
      await manager.delete(MailboxUndo, { playerId: id });
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
   * Renames the player, who keeps the roles of the old name. That name stays reserved by an unusable account: the game
   * would take anybody who registered it for this player. Ends every JWT, because they contain the name. `inGame` is
   * the game's spelling of the old name, if the servers cannot tell.
   */
  async rename(who: Attribution, id: number, to: string, inGame?: string): Promise<void> {
    refuseIfInvalid('the name', textProblem(to, NEW_ACCOUNT_RULES));
    const seen = await this.dataSource.manager.findOneBy(Player, { id });
    // Before the transaction, so that no row is locked while the servers are read.
    const gameAccount = seen && (await this.gameNames.resolve(seen, inGame));
    return this.runAction(who, 'player.rename', id, async (manager, player) => {
      const { account: from } = player;
      if (from === to) throw new ActionRefused(`it is called ${to} already`);
      if (await isGameNameTaken(manager, to, id))
        throw new ActionRefused(`another player has roles under the name ${to}`);
      if ((await findIdsByName(manager, to)).some((other) => other !== id))
        throw new ActionRefused(`another player signs in as ${to}`);
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
   * For an account that somebody took over: ends all tokens, the password, second factors, links and trusted addresses.
   * The owner resets the password through the current mailbox or the one given here.
   */
  async secure(who: Attribution, id: number, given?: string): Promise<void> {
    const secured = await this.change(who, 'player.secure', id, async (manager, player) => {
      const email = await securedMailbox(manager, player, given);
      const links = await manager.findBy(PlayerLink, { playerId: id });
      const replaced = await manager.findBy(MailboxUndo, { playerId: id });
      // The thief may also have asked to close it.
      const ended = { password: UNUSABLE_PASSWORD, closingAt: null };
      await manager.update(Player, { id }, { email, ...ended });
      await removeAllFactors(manager, id);
      for (const table of [PlayerLink, MailboxUndo, LoginAddress])
        await manager.delete(table, { playerId: id });
      const { before, after } = await this.endTokens(manager, player);
      return {
        before: {
          ...before,
          email: player.email,
          replaced_emails: replaced.map((change) => change.email),
          links: links.map(linkState),
          second_factor: player.hasSecondFactor,
          closing_at: player.closingAt?.toISOString() ?? null,
        },
        after: {
          ...after,
          email,
          replaced_emails: [],
          links: [],
          second_factor: false,
          closing_at: null,
          password: 'none',
        },
      };
    });
    if (secured.closingAt) this.logger.log(describeClosing(secured, null));
  }

  private async endTokens(manager: EntityManager, { id, ver }: Player) {
    await manager.update(Player, { id }, { ver: () => 'ver + 1' });
    const sessions = await this.sessions.endOthers(id, undefined, manager);
    return { before: { ver, sessions }, after: { ver: ver + 1, sessions: 0 } };
  }

  async runAction(who: Attribution, act: string, id: number, step: ActionStep): Promise<void> {
    await this.change(who, act, id, step);
  }

  /** One transaction, under the player's lock. A closed account stays as it is. Returns the player as it was. */
  async change(who: Attribution, act: string, id: number, step: ActionStep): Promise<Player> {
    try {
      return await inTransaction(this.dataSource, async (manager) => {
        await lockPlayer(manager, id);
        const player = await manager.findOneBy(Player, { id });
        if (!player) throw new ActionRefused(`there is no player ${id}`);
        if (player.closedAt) throw new ActionRefused(`${player.account} is closed for good`);
        const change = await step(manager, player);
        await this.audit.write(manager, who, { act, subject: playerAuditSubject(id), ...change });
        return player;
      });
    } catch (error) {
      if (isDuplicateKey(error))
        throw new ActionRefused('another account has it', { cause: error });
      throw error;
    }
  }
}

function banState({ id, scope, reason, until }: PlayerBan): AuditState {
  return { id, scope, reason, until: until?.toISOString() ?? null };
}

function linkState({ provider, connectId }: PlayerLink): AuditState {
  return { provider, connect_id: connectId };
}
