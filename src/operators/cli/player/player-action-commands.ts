import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Player } from '../../../platform/auth/player.entity.js';
import type { ActionOptions } from '../arguments.js';
import { CommandFailed, type Report, UsageError } from '../command.js';
import { confirm } from '../confirm.js';
import { readSecret } from '../read-secret.js';
import { GameNameAmbiguous } from '../../actions/players/game-name-resolver.js';
import { PlayerActions } from '../../actions/players/player-actions.js';
import { PlayerLocks } from '../../actions/players/player-locks.js';
import { locksReport } from './player-report.js';

export interface PlayerActionOptions extends ActionOptions {
  address?: string;
  email?: string;
  provider?: string;
  to?: string;
  gameAccount?: string;
}

interface PlannedAction {
  /** Said before it is done, and with "done" after. */
  what: string;
  execute: () => Promise<unknown>;
}

export type PlayerAction =
  | 'disable'
  | 'enable'
  | 'unlock'
  | 'sign-out'
  | 'set-email'
  | 'set-password'
  | 'unlink'
  | 'rename'
  | 'secure';

/** The acts of `gatehouse player`: says what it will do, asks, and does it. */
@Injectable()
export class PlayerActionCommands {
  constructor(
    private readonly actions: PlayerActions,
    private readonly locks: PlayerLocks,
  ) {}

  async run(action: PlayerAction, player: Player, given: PlayerActionOptions): Promise<Report> {
    if (action === 'unlock') return this.unlock(player, given);
    const { what, execute } = this.plan(player, given)[action];
    await confirm(`This ${what}.`, given);
    await execute();
    return { text: `Done: ${what}.`, data: { done: what, player: player.id } };
  }

  private plan(
    { id, account, email: mailbox }: Player,
    who: PlayerActionOptions,
  ): Record<Exclude<PlayerAction, 'unlock'>, PlannedAction> {
    const { email, provider = '', to = '', gameAccount } = who;
    return {
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
          `secures ${account}: ends its sessions and tokens, its password, its links and its trusted addresses; ` +
          `the owner sets a new password through ${email ?? mailbox}`,
        execute: () => this.actions.secure(who, id, email),
      },
    };
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
    return { text: `Unlocked. What stood before:\n${locksReport(ended)}`, data: { ended } };
  }
}

function addOptionHint(error: unknown): never {
  if (!(error instanceof GameNameAmbiguous)) throw error;
  throw new CommandFailed(`${error.message} with --game-account`, { cause: error });
}
