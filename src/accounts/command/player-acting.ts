import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Player } from '../../auth/player.entity.js';
import type { Arguments } from '../../command/arguments.js';
import { CommandRefused, type Report, UsageError } from '../../command/command.js';
import { askBefore } from '../../command/consent.js';
import { readSecret } from '../../command/read-secret.js';
import type { Operator } from '../../journal/audit-book.js';
import { SpellingUnknown } from '../desk/game-spelling.js';
import { PlayerActs } from '../desk/player-acts.js';
import { PlayerLocks } from '../desk/player-locks.js';
import { locksReport } from './player-report.js';

type Act = (player: Player, operator: Operator) => Promise<Report>;

interface Plan {
  /** Said before it is done, and with "done" after. */
  will: (player: Player) => string;
  do: (who: Operator, player: Player) => Promise<unknown>;
}

/** The acts of `gatehouse player`: says what it will do, asks, and does it. */
@Injectable()
export class PlayerActing {
  constructor(
    private readonly acts: PlayerActs,
    private readonly locks: PlayerLocks,
  ) {}

  find(command: string, given: Arguments): Act | undefined {
    if (command === 'unlock') return (player, who) => this.unlock(player, who, given);
    const plan = this.plan(command, given.texts);
    return plan && ((player, who) => carryOut(plan, player, who, given));
  }

  private plan(command: string, texts: Arguments['texts']): Plan | undefined {
    switch (command) {
      case 'disable':
        return {
          will: ({ account }) => `disables ${account}: no sign-in and no token of it works`,
          do: (who, { id }) => this.acts.disable(who, id),
        };
      case 'enable':
        return {
          will: ({ account }) => `enables ${account} again`,
          do: (who, { id }) => this.acts.enable(who, id),
        };
      case 'sign-out':
        return {
          will: ({ account }) =>
            `signs ${account} out everywhere; the old-format token goes on working until the password changes`,
          do: (who, { id }) => this.acts.signOut(who, id),
        };
      case 'set-email': {
        const email = needed(texts, 'email');
        return {
          will: ({ account, email: now }) =>
            `changes the mailbox of ${account} from ${now} to ${email}`,
          do: (who, { id }) => this.acts.setEmail(who, id, email),
        };
      }
      case 'set-password':
        return {
          will: ({ account }) =>
            `sets a new password for ${account} and ends every session and token`,
          do: async (who, { id }) => this.acts.setPassword(who, id, await readSecret('password: ')),
        };
      case 'unlink': {
        const provider = needed(texts, 'provider');
        return {
          will: ({ account }) =>
            `removes the link between ${account} and its identity of ${provider}`,
          do: (who, { id }) => this.acts.unlink(who, id, provider),
        };
      }
      case 'rename': {
        const to = needed(texts, 'to');
        return {
          will: ({ account }) =>
            `renames ${account} to ${to}, with its roles in the game, and ends every session; nobody can take the old name`,
          do: (who, { id }) =>
            this.acts.rename(who, id, to, texts['game-account']).catch(nameTheOption),
        };
      }
      case 'secure': {
        const { email } = texts;
        return {
          will: (player) =>
            `secures ${player.account}: ends its sessions and tokens, its password, its links and its trusted addresses; ` +
            `the owner sets a new password through ${email ?? player.email}`,
          do: (who, { id }) => this.acts.secure(who, id, email),
        };
      }
      default:
        return undefined;
    }
  }

  private async unlock(player: Player, who: Operator, given: Arguments): Promise<Report> {
    const { address } = given.texts;
    if (address !== undefined && isIP(address) === 0)
      throw new UsageError(`"${address}" is no address`);
    if (!this.locks.areShared)
      throw new CommandRefused(
        'failed logins are not counted in Redis but in the memory of each instance: restart the instances, or wait',
      );
    const also =
      address === undefined ? '' : `, and the lock of the address ${address} for all accounts`;
    await askBefore(`This ends the locks of ${player.account} after failed logins${also}.`, given);
    const ended = await this.locks.release(who, player.id, address);
    return { text: `Unlocked. What stood before:\n${locksReport(ended)}`, data: { ended } };
  }
}

async function carryOut(
  plan: Plan,
  player: Player,
  who: Operator,
  given: Arguments,
): Promise<Report> {
  const what = plan.will(player);
  await askBefore(`This ${what}.`, given);
  await plan.do(who, player);
  return { text: `Done: ${what}.`, data: { done: what, player: player.id } };
}

function nameTheOption(error: unknown): never {
  if (!(error instanceof SpellingUnknown)) throw error;
  throw new CommandRefused(`${error.message} with --game-account`, { cause: error });
}

function needed(texts: Arguments['texts'], name: string): string {
  const text = texts[name]?.trim();
  if (!text) throw new UsageError(`--${name} is needed`);
  return text;
}
