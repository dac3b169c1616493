import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Player } from '../../../platform/auth/player.entity.js';
import type { Arguments } from '../arguments.js';
import { CommandFailed, type Report, UsageError } from '../command.js';
import { confirm } from '../confirm.js';
import { readSecret } from '../read-secret.js';
import type { Attribution } from '../../../platform/audit/audit-log.js';
import { GameNameAmbiguous } from '../../actions/players/game-name-resolver.js';
import { PlayerActions } from '../../actions/players/player-actions.js';
import { PlayerLocks } from '../../actions/players/player-locks.js';
import { locksReport } from './player-report.js';

type PlayerAction = (player: Player, operator: Attribution) => Promise<Report>;

interface PlannedAction {
  /** Said before it is done, and with "done" after. */
  describe: (player: Player) => string;
  execute: (who: Attribution, player: Player) => Promise<unknown>;
}

/** The acts of `gatehouse player`: says what it will do, asks, and does it. */
@Injectable()
export class PlayerActionCommands {
  constructor(
    private readonly actions: PlayerActions,
    private readonly locks: PlayerLocks,
  ) {}

  find(command: string, given: Arguments): PlayerAction | undefined {
    if (command === 'unlock') return (player, who) => this.unlock(player, who, given);
    const plan = this.plan(command, given.options);
    return plan && ((player, who) => runPlannedAction(plan, player, who, given));
  }

  private plan(command: string, texts: Arguments['options']): PlannedAction | undefined {
    switch (command) {
      case 'disable':
        return {
          describe: ({ account }) => `disables ${account}: no sign-in and no token of it works`,
          execute: (who, { id }) => this.actions.disable(who, id),
        };
      case 'enable':
        return {
          describe: ({ account }) => `enables ${account} again`,
          execute: (who, { id }) => this.actions.enable(who, id),
        };
      case 'sign-out':
        return {
          describe: ({ account }) =>
            `signs ${account} out everywhere; the old-format token goes on working until the password changes`,
          execute: (who, { id }) => this.actions.signOut(who, id),
        };
      case 'set-email': {
        const email = requireOption(texts, 'email');
        return {
          describe: ({ account, email: now }) =>
            `changes the mailbox of ${account} from ${now} to ${email}`,
          execute: (who, { id }) => this.actions.setEmail(who, id, email),
        };
      }
      case 'set-password':
        return {
          describe: ({ account }) =>
            `sets a new password for ${account} and ends every session and token`,
          execute: async (who, { id }) =>
            this.actions.setPassword(who, id, await readSecret('password: ')),
        };
      case 'unlink': {
        const provider = requireOption(texts, 'provider');
        return {
          describe: ({ account }) =>
            `removes the link between ${account} and its identity of ${provider}`,
          execute: (who, { id }) => this.actions.unlink(who, id, provider),
        };
      }
      case 'rename': {
        const to = requireOption(texts, 'to');
        return {
          describe: ({ account }) =>
            `renames ${account} to ${to}, with its roles in the game, and ends every session; nobody can take the old name`,
          execute: (who, { id }) =>
            this.actions.rename(who, id, to, texts['game-account']).catch(addOptionHint),
        };
      }
      case 'secure': {
        const { email } = texts;
        return {
          describe: (player) =>
            `secures ${player.account}: ends its sessions and tokens, its password, its links and its trusted addresses; ` +
            `the owner sets a new password through ${email ?? player.email}`,
          execute: (who, { id }) => this.actions.secure(who, id, email),
        };
      }
      default:
        return undefined;
    }
  }

  private async unlock(player: Player, who: Attribution, given: Arguments): Promise<Report> {
    const { address } = given.options;
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
    const ended = await this.locks.release(who, player.id, address);
    return { text: `Unlocked. What stood before:\n${locksReport(ended)}`, data: { ended } };
  }
}

async function runPlannedAction(
  plan: PlannedAction,
  player: Player,
  who: Attribution,
  given: Arguments,
): Promise<Report> {
  const what = plan.describe(player);
  await confirm(`This ${what}.`, given);
  await plan.execute(who, player);
  return { text: `Done: ${what}.`, data: { done: what, player: player.id } };
}

function addOptionHint(error: unknown): never {
  if (!(error instanceof GameNameAmbiguous)) throw error;
  throw new CommandFailed(`${error.message} with --game-account`, { cause: error });
}

function requireOption(texts: Arguments['options'], name: string): string {
  const text = texts[name]?.trim();
  if (!text) throw new UsageError(`--${name} is needed`);
  return text;
}
