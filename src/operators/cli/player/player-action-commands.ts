import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BanScope } from '../../../platform/auth/ban.js';
import type { Player } from '../../../platform/auth/player.entity.js';
import type { ActionOptions } from '../command-options.js';
import { CommandFailed, type Report, UsageError } from '../command.js';
import { confirm, readSecret } from '../terminal.js';
import {
  GameNameAmbiguous,
  PlayerActions,
  findOwnersMailbox,
} from '../../actions/players/player-actions.js';
import { PlayerClosings, type SavedClosing } from '../../actions/players/player-closings.js';
import { PlayerCredentials } from '../../actions/players/player-credentials.js';
import { SignInLocks } from '../../actions/players/sign-in-locks.js';
import { formatMinute } from '../../../platform/config/time.js';
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
  ban?: number;
  file?: string;
  againFrom?: string;
}

interface PlannedAction {
  /** This text is printed before the action, and again with "Done" after it. */
  what: string;
  /** Returns why the e-mail to the owner failed, if it did. */
  execute: () => Promise<string | undefined | void>;
}

export type PlayerAction = keyof ReturnType<PlayerActionCommands['plan']> | 'unlock';

/** Each action describes its effect and asks for confirmation first. */
@Injectable()
export class PlayerActionCommands {
  constructor(
    private readonly dataSource: DataSource,
    private readonly actions: PlayerActions,
    private readonly closings: PlayerClosings,
    private readonly credentials: PlayerCredentials,
    private readonly locks: SignInLocks,
  ) {}

  async run(action: PlayerAction, player: Player, given: PlayerActionOptions): Promise<Report> {
    if (action === 'unlock') return this.unlock(player, given);
    // This check runs first, so that an action that is bound to fail does not ask for confirmation.
    if (action === 'secure') await findOwnersMailbox(this.dataSource.manager, player, given.email);
    const { what, execute } = this.plan(player, given)[action];
    await confirm(`This ${what}.`, given);
    const notMailed = await execute();
    const mail = notMailed ? ` The owner was not told by mail: ${notMailed}` : '';
    return { text: `Done: ${what}.${mail}`, data: { done: what, player: player.id } };
  }

  /** Repeats the closings that `gatehouse player closing --save` saved before a restore. */
  async repeatClosings(given: PlayerActionOptions): Promise<Report> {
    const saved = await readSavedClosings(given.againFrom!);
    await confirm(
      `This closes the ${saved.length} accounts of the file again, and keeps all others.`,
      given,
    );
    const data = await this.closings.repeat(given, saved);
    return { text: repeatReport(data), data, ok: data.refused.length === 0 };
  }

  private plan({ id, account, email: mailbox }: Player, who: PlayerActionOptions) {
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
        what: `lifts ${who.ban === undefined ? 'every ban' : `ban ${who.ban}`} of ${account}`,
        execute: () => this.actions.unban(who, id, who.ban),
      },
      disable: {
        what: `disables ${account}: no sign-in and no token of it works`,
        execute: () => this.actions.disable(who, id),
      },
      enable: {
        what: `enables ${account} again`,
        execute: () => this.actions.enable(who, id),
      },
      'reset-second-factor': {
        what: `removes every second factor of ${account}: the password alone signs in; withdrawals pause`,
        execute: () => this.credentials.resetSecondFactor(who, id),
      },
      'sign-out': {
        what: `signs ${account} out everywhere; the old-format token keeps working until the password changes`,
        execute: () => this.actions.signOut(who, id),
      },
      'set-email': {
        what: `changes the mailbox of ${account} from ${mailbox} to ${email}; withdrawals pause`,
        execute: () => this.credentials.setEmail(who, id, email ?? ''),
      },
      'set-password': {
        what: `sets a new password for ${account} and ends every session and token; withdrawals pause`,
        execute: async () => this.credentials.setPassword(who, id, await readSecret('password: ')),
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
    } satisfies Record<string, PlannedAction>;
  }

  private async unlock(player: Player, given: PlayerActionOptions): Promise<Report> {
    const { address } = given;
    if (address !== undefined && isIP(address) === 0)
      throw new UsageError(`"${address}" is not an address`);
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

async function readSavedClosings(path: string): Promise<SavedClosing[]> {
  const text = await readFile(path, 'utf8');
  try {
    return (JSON.parse(text) as SavedClosing[]).map(({ id, created_at, closing_at }) => ({
      // `BigInt` throws unless the text is a whole number.
      id: Number(BigInt(id)),
      created_at: new Date(created_at).toISOString(),
      closing_at: new Date(closing_at).toISOString(),
    }));
  } catch (cause) {
    throw new CommandFailed(`${path} is not a file of gatehouse player closing --save`, { cause });
  }
}
