import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, In, IsNull, MoreThan } from 'typeorm';
import { type Attribution, AuditLog } from '../../../platform/audit/audit-log.js';
import {
  findIdsByName,
  isGameNameTaken,
  isSameAccount,
} from '../../../platform/auth/account-name.js';
import type { BanScope } from '../../../platform/auth/ban.js';
import { PlayerBan } from '../../../platform/auth/player-ban.entity.js';
import { lockPlayer } from '../../../platform/auth/player-row-lock.js';
import { describeClosing, Player } from '../../../platform/auth/player.entity.js';
import { claimName } from '../../../platform/auth/reserved-names.js';
import { Session } from '../../../platform/auth/session.entity.js';
import { Environment } from '../../../platform/config/environment.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { EMAIL_RULES, textProblem } from '../../../platform/http/validation/field.decorator.js';
import { EventOutbox } from '../../../platform/events/event-outbox.js';
import { NEW_ACCOUNT_RULES } from '../../../features/accounts/accounts.dto.js';
import { LoginAddress } from '../../../features/accounts/login-addresses.service.js';
import { UNUSABLE_PASSWORD } from '../../../features/accounts/passwords.js';
import { LinksService } from '../../../features/links/links.service.js';
import { PlayerLink } from '../../../features/links/player-link.entity.js';
import { MailboxUndo } from '../../../features/profile/mailbox-undo.service.js';
import { removeAllFactors } from '../../../features/second-factor/factor-changes.js';
import { endTrust, SessionsService } from '../../../features/sessions/sessions.service.js';
import {
  GameAccountService,
  isSameIgnoringCase,
} from '../../../features/withdraw/game/game-account.service.js';
import { GameServerUnavailable } from '../../../features/withdraw/record/withdraw.errors.js';
import { currentDate } from '../../../platform/database/database-clock.js';
import { ActionRefused, refuseIfInvalid } from '../action-refused.js';
import { playerAuditSubject } from '../events/event-search.js';
import { PlayerBans } from './player-bans.js';

/** Reports that an operator must specify the game's spelling of the name. */
export class GameNameAmbiguous extends ActionRefused {}

type AuditState = Record<string, unknown>;

export interface NewBan {
  scope: BanScope;
  /** Players see this text. */
  reason: string;
  /** Null means that the ban never ends. */
  until: Date | null;
}

type ActionStep = (
  manager: EntityManager,
  player: Player,
) => Promise<{ before: AuditState; after: AuditState }>;

/** Changes accounts on behalf of operators. Each change and its `audit_event` are written in one transaction. */
@Injectable()
export class PlayerActions {
  private readonly logger = new Logger(PlayerActions.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly sessions: SessionsService,
    private readonly links: LinksService,
    private readonly events: EventOutbox,
    private readonly bans: PlayerBans,
    private readonly environment: Environment,
    private readonly gameNames: GameAccountService,
  ) {}

  disable(who: Attribution, id: number): Promise<void> {
    return this.runAction(who, 'player.disable', id, async (manager, player) => {
      if (player.disabledAt) throw new ActionRefused(`${player.account} is already disabled`);
      const disabledAt = currentDate();
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

  /** The ban takes effect immediately. The service then ends the player's sessions and notifies the owner by e-mail. */
  async ban(who: Attribution, id: number, { scope, reason, until }: NewBan): Promise<void> {
    refuseIfInvalid('the reason', textProblem(reason.trim(), { max: 200 }));
    const createdAt = currentDate();
    if (until && until <= createdAt)
      throw new ActionRefused('the end of a ban must be in the future');
    return this.runAction(who, 'player.ban', id, async (manager) => {
      const author = { note: who.note, createdBy: who.by, createdAt };
      const ban = { playerId: id, scope, reason: reason.trim(), until, ...author };
      return {
        before: { bans: [] },
        after: { bans: [banState(await manager.save(PlayerBan, ban))] },
      };
    });
  }

  /** Lifts all bans in force, or the given one. The service then notifies the owner by e-mail. */
  unban(who: Attribution, id: number, banId?: number): Promise<void> {
    return this.runAction(who, 'player.unban', id, async (manager, { account }) => {
      const bans = await this.bans.findInForce([id], manager);
      if (bans.length === 0) throw new ActionRefused(`${account} is not banned`);
      const kept = banId === undefined ? [] : bans.filter((ban) => ban.id !== banId);
      if (kept.length === bans.length)
        throw new ActionRefused(`${account} has no ban ${banId} in force`);
      const lifted = bans.filter((ban) => !kept.includes(ban)).map((ban) => ban.id);
      await manager.update(PlayerBan, { id: In(lifted) }, { liftedAt: currentDate() });
      return { before: { bans: bans.map(banState) }, after: { bans: kept.map(banState) } };
    });
  }

  /** Ends every session and JWT. An old-format token is the password hash and stays valid until the password changes. */
  signOut(who: Attribution, id: number): Promise<void> {
    return this.runAction(who, 'player.sign-out', id, (manager, player) =>
      this.endTokens(manager, player),
    );
  }

  /** Ends one session and the trust in all browsers of the player. The other sessions continue. */
  endSession(who: Attribution, playerId: number, id: number): Promise<void> {
    return this.runAction(who, 'player.end-session', playerId, async (manager) => {
      const now = currentDate();
      const active = { playerId, id, endedAt: IsNull(), expiresAt: MoreThan(now) };
      const session = await manager.findOneBy(Session, active);
      if (!session || (await manager.update(Session, active, { endedAt: now })).affected !== 1)
        throw new ActionRefused('that session has already ended');
      await endTrust(manager, playerId);
      const { address, os, browse, createdAt } = session;
      return { before: { address, os, browse, since: createdAt.toISOString() }, after: {} };
    });
  }

  unlink(who: Attribution, id: number, provider: string): Promise<void> {
    return this.runAction(who, 'player.unlink', id, async (manager, { account }) => {
      const link = await manager.findOneBy(PlayerLink, { playerId: id, provider });
      if (!link) throw new ActionRefused(`${account} has no identity of ${provider}`);
      await this.links.unlink(id, provider, manager);
      return { before: { links: [linkState(link)] }, after: { links: [] } };
    });
  }

  /**
   * Renames the player, who keeps the roles of the old name, and ends every session. An unusable account reserves the
   * old name, because the game would give these roles to any player who registered that name. `inGame` is the game's
   * spelling of the old name and is required if the servers spell it differently.
   */
  async rename(who: Attribution, id: number, to: string, inGame?: string): Promise<void> {
    refuseIfInvalid('the name', textProblem(to, NEW_ACCOUNT_RULES));
    const seen = await this.dataSource.manager.findOneBy(Player, { id });
    // The game servers are read before the transaction, so that no row stays locked during the reads.
    const gameAccount = seen && (await this.findGameAccount(seen, inGame));
    return this.runAction(who, 'player.rename', id, async (manager, player) => {
      const { account: from } = player;
      if (from === to) throw new ActionRefused(`the account is already called ${to}`);
      const taken = `the name ${to} has roles of another or a former player`;
      // This check comes first, because a renamed player's old name also belongs to an account that nobody uses.
      if (await isGameNameTaken(manager, to, id)) throw new ActionRefused(taken);
      if ((await findIdsByName(manager, to)).some((other) => other !== id))
        throw new ActionRefused(`another player signs in as ${to}`);
      if (seen?.account !== from || seen.gameAccount !== player.gameAccount)
        throw new ActionRefused('somebody else renamed it meanwhile');
      // Remembered sessions do not contain the name, so the rename alone would not end them.
      const { before, after } = await this.endTokens(manager, player);
      // The name is claimed after the sessions, because registrations wait for a name that is not committed yet.
      if (!(await claimName(manager, to, id))) throw new ActionRefused(taken);
      await manager.update(Player, { id }, { account: to, gameAccount });
      await this.events.announce(manager, 'player.renamed', id);
      if (!isSameAccount(from, to))
        await manager.insert(Player, {
          account: from,
          password: UNUSABLE_PASSWORD,
          disabledAt: currentDate(),
        });
      return {
        before: { ...before, account: from, game_account: player.gameAccount },
        after: { ...after, account: to, game_account: gameAccount },
      };
    });
  }

  /**
   * Recovers a stolen account by removing all tokens, the password, second factors, links and trusted addresses. The
   * owner then resets the password through the current e-mail address or the given one.
   */
  async secure(who: Attribution, id: number, given?: string): Promise<void> {
    const secured = await this.change(who, 'player.secure', id, async (manager, player) => {
      const email = await findOwnersMailbox(manager, player, given);
      const links = await manager.findBy(PlayerLink, { playerId: id });
      const replaced = await manager.findBy(MailboxUndo, { playerId: id });
      // The thief may have requested the closing.
      const ended = { password: UNUSABLE_PASSWORD, closingAt: null };
      await removeAllFactors(manager, id);
      await this.links.unlinkAll(manager, id);
      const { before, after } = await this.endTokens(manager, player);
      // These steps come last, because other players' logins, e-mail changes and registrations wait for their locks.
      for (const table of [MailboxUndo, LoginAddress])
        await manager.delete(table, { playerId: id });
      await manager.update(Player, { id }, { email, ...ended });
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

  /** Returns the game tables' spelling of the account name, which a rename stores as `game_account`. */
  private async findGameAccount(player: Player, given?: string): Promise<string> {
    const { account, gameAccount } = player;
    if (gameAccount) return gameAccount;
    if (given !== undefined) {
      if (isSameIgnoringCase(given, account)) return given;
      throw new ActionRefused(`${given} is not a spelling that the game could use for ${account}`);
    }
    // Without game databases, the account's own spelling is the best guess.
    if (!this.environment.gameDatabase) return account;
    const found = await this.gameNames.findOnAllServers(account).catch((error: unknown) => {
      if (!(error instanceof GameServerUnavailable)) throw error;
      throw new GameNameAmbiguous(
        `${error.reason}; it may spell the name differently: make it reachable, or specify the spelling`,
        { cause: error },
      );
    });
    if (found.length <= 1) return found[0] ?? account;
    throw new GameNameAmbiguous(
      `the servers spell the name of its roles as ${found.join(', ')}, but it can keep only one spelling: specify which one`,
    );
  }

  async endTokens(manager: EntityManager, { id, ver }: Player) {
    await manager.update(Player, { id }, { ver: () => 'ver + 1' });
    const sessions = await this.sessions.markEnded(manager, id);
    return { before: { ver, sessions }, after: { ver: ver + 1, sessions: 0 } };
  }

  async runAction(who: Attribution, act: string, id: number, step: ActionStep): Promise<void> {
    await this.change(who, act, id, step);
  }

  /** Runs a step under the player's lock and returns the player before the change. Rejects closed accounts. */
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

/**
 * Returns the e-mail address through which the owner of a stolen account sets a new password. An address that was set
 * in the last 72 hours may be the thief's, even if it has been replaced since, so the operator must specify another one.
 * The address before the first of these changes belongs to the owner.
 */
export async function findOwnersMailbox(
  manager: EntityManager,
  { id, account, email }: Player,
  given: string | undefined,
): Promise<string> {
  const mailbox = given?.toLowerCase() ?? email;
  if (mailbox === null)
    throw new ActionRefused(`${account} has no mailbox, so the owner could not sign in again`);
  if (given !== undefined) refuseIfInvalid('the mailbox', textProblem(mailbox, EMAIL_RULES));
  const replaced = await findReplacedMailboxes(manager, id);
  const isGiven = (one: string | null) => one?.toLowerCase() === mailbox.toLowerCase();
  const isNew = replaced.length > 0 && !isGiven(replaced[0]!) && [email, ...replaced].some(isGiven);
  if (isNew)
    throw new ActionRefused(
      `the mailbox of ${account} changed within 72 hours, from ${replaced[0] ?? 'none'}: name the owner's, not a new one`,
    );
  return mailbox;
}

/** Returns the e-mail address before the changes of the last 72 hours, or null if there were no changes. */
export async function findReplacedMailbox(
  manager: EntityManager,
  playerId: number,
): Promise<string | null> {
  const [first] = await findReplacedMailboxes(manager, playerId);
  return first === undefined ? null : (first ?? 'none');
}

/** Returns the e-mail addresses that were replaced in the last 72 hours, oldest first. Null means no address. */
async function findReplacedMailboxes(manager: EntityManager, playerId: number) {
  const changes = await manager.find(MailboxUndo, {
    where: { playerId, expiresAt: MoreThan(currentDate()) },
    order: { version: 'ASC' },
  });
  return changes.map(({ email }) => email);
}
