import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BanScope } from '../../../platform/auth/ban-scope.js';
import type { Player } from '../../../platform/auth/player.entity.js';
import type { ActionOptions } from '../arguments.js';
import { CommandFailed, type Report, UsageError } from '../command.js';
import { confirm } from '../confirm.js';
import { readSecret } from '../read-secret.js';
import { GameNameAmbiguous } from '../../actions/players/game-name-resolver.js';
import { PlayerActions } from '../../actions/players/player-actions.js';
import { PlayerClosings } from '../../actions/players/player-closings.js';
import { PlayerLocks } from '../../actions/players/player-locks.js';
import { parseClosings } from '../../../platform/auth/closing-record.js';
import { securedMailbox } from '../../actions/players/secured-mailbox.js';
import { SecondFactorReset } from '../../actions/players/second-factor-reset.js';
import { formatMinute } from '../../format-minute.js';
import { locksReport, repeatReport } from './player-report.js';

export interface PlayerActionOptions extends ActionOptions {
  address?: string;
  email?: string;
  provider?: string;
  to?: string;
  gameAccount?: string;
  scope?: BanScope;
  reason?: string;
  until?: Date | 'forever';
  file?: string;
  againFrom?: string;
}

interface PlannedAction {
  /** Printed before the act, and with "Done" after it. */
  what: string;
  execute: () => Promise<unknown>;
}

export type PlayerAction =
  | 'ban'
  | 'unban'
  | 'close'
  | 'keep'
  | 'export'
  | 'disable'
  | 'enable'
  | 'unlock'
  | 'reset-second-factor'
  | 'sign-out'
  | 'set-email'
  | 'set-password'
  | 'unlink'
  | 'rename'
  | 'secure';

/** The acts of `gatehouse player`: each says what it will do, asks, and does it. */
@Injectable()
export class PlayerActionCommands {
  constructor(
    private readonly dataSource: DataSource,
    private readonly actions: PlayerActions,
    private readonly closings: PlayerClosings,
    private readonly locks: PlayerLocks,
    private readonly secondFactors: SecondFactorReset,
  ) {}

  async run(action: PlayerAction, player: Player, given: PlayerActionOptions): Promise<Report> {
    if (action === 'unlock') return this.unlock(player, given);
    if (action === 'reset-second-factor') return this.resetSecondFactor(player, given);
    // A refusal comes before the question.
    if (action === 'secure') await securedMailbox(this.dataSource.manager, player, given.email);
    const { what, execute } = this.plan(player, given)[action];
    await confirm(`This ${what}.`, given);
    await execute();
    return { text: `Done: ${what}.`, data: { done: what, player: player.id } };
  }

  /** After a restore: what the backup does not know. */
  async repeatClosings(given: PlayerActionOptions): Promise<Report> {
    const text = await readFile(given.againFrom!, 'utf8');
    const records = parseClosings(text);
    await confirm(`This repeats what the file says about ${records.length} players.`, given);
    const data = await this.closings.repeat(given, records);
    return { text: repeatReport(data), data, ok: data.refused.length === 0 };
  }

  private plan(
    { id, account, email: mailbox }: Player,
    who: PlayerActionOptions,
  ): Record<Exclude<PlayerAction, 'unlock' | 'reset-second-factor'>, PlannedAction> {
    const { email, provider = '', to = '', gameAccount } = who;
    const { scope = 'all', reason = '' } = who;
    const until = who.until instanceof Date ? who.until : null;
    return {
      close: {
        what: `closes ${account} on ${formatMinute(this.closings.nextClosing())} UTC: its personal data is then removed for good, and nobody can take the name`,
        execute: () => this.closings.close(who, id),
      },
      keep: {
        what: `stops the closing of ${account}`,
        execute: () => this.closings.keep(who, id),
      },
      export: {
        what: `writes the data of ${account} to ${who.file}`,
        execute: () => this.closings.export(who, id, who.file ?? ''),
      },
      ban: {
        what: `bans ${account} ${until ? `until ${formatMinute(until)} UTC` : 'for good'}${scope === 'withdraw' ? ' from withdrawals' : ': no sign-in and no token of it works'}`,
        execute: () => this.actions.ban(who, id, { scope, reason, until }),
      },
      unban: {
        what: `lifts every ban of ${account}`,
        execute: () => this.actions.unban(who, id),
      },
      disable: {
        what: `disables ${account}: no sign-in and no token of it works`,
        execute: () => this.actions.disable(who, id),
      },
      enable: {
        what: `enables ${account} again`,
        execute: () => this.actions.enable(who, id),
      },
      'sign-out': {
        what: `signs ${account} out everywhere; the old-format token goes on working until the password changes`,
        execute: () => this.actions.signOut(who, id),
      },
      'set-email': {
        what: `changes the mailbox of ${account} from ${mailbox} to ${email}`,
        execute: () => this.actions.setEmail(who, id, email ?? ''),
      },
      'set-password': {
        what: `sets a new password for ${account} and ends every session and token`,
        execute: async () => this.actions.setPassword(who, id, await readSecret('password: ')),
      },
      unlink: {
        what: `removes the link between ${account} and its identity of ${provider}`,
        execute: () => this.actions.unlink(who, id, provider),
      },
      rename: {
        what: `renames ${account} to ${to}, with its roles in the game, and ends every session; nobody can take the old name`,
        execute: () => this.actions.rename(who, id, to, gameAccount).catch(addOptionHint),
      },
      secure: {
        what:
          `secures ${account}: ends its sessions and tokens, and removes its password, second factors, links and trusted addresses; ` +
          `the owner sets a new password through ${email ?? mailbox}`,
        execute: () => this.actions.secure(who, id, email),
      },
    };
  }

  private async resetSecondFactor(player: Player, given: PlayerActionOptions): Promise<Report> {
    const what = `removes every second factor of ${player.account}: the password alone signs in; withdrawals pause`;
    await confirm(`This ${what}.`, given);
    const notMailed = await this.secondFactors.reset(given, player.id);
    const mail = notMailed === undefined ? '' : ` The owner was not told by mail: ${notMailed}`;
    return { text: `Done: ${what}.${mail}`, data: { done: what, player: player.id } };
  }

  private async unlock(player: Player, given: PlayerActionOptions): Promise<Report> {
    const { address } = given;
    if (address !== undefined && isIP(address) === 0)
      throw new UsageError(`"${address}" is no address`);
    if (!this.locks.areShared)
      throw new CommandFailed(
        'failed logins are not counted in Redis but in the memory of each instance: restart the instances, or wait',
      );
    const addressPart =
      address === undefined ? '' : `, and the lock of the address ${address} for all accounts`;
    await confirm(
      `This ends the locks of ${player.account} after failed logins${addressPart}.`,
      given,
    );
    const ended = await this.locks.release(given, player.id, address);
    return { text: `Unlocked. Before:\n${locksReport(ended)}`, data: { ended } };
  }
}

function addOptionHint(error: unknown): never {
  if (!(error instanceof GameNameAmbiguous)) throw error;
  throw new CommandFailed(`${error.message} with --game-account`, { cause: error });
}
