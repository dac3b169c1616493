import { Injectable } from '@nestjs/common';
import type { Player } from '../../../platform/auth/player.entity.js';
import {
  ACTION_OPTIONS,
  type Arguments,
  parseLimit,
  requireAttribution,
  parseSince,
  parseArguments,
  parsePositiveInt,
} from '../arguments.js';
import { CommandFailed, type Report, UsageError } from '../command.js';
import { loginsReport } from '../events/event-report.js';
import { withdrawalListReport } from '../withdrawal/withdrawal-report.js';
import { PlayerFinder } from '../../actions/players/player-finder.js';
import { PlayerOverview } from '../../actions/players/player-overview.js';
import { PlayerActionCommands } from './player-action-commands.js';
import { overviewReport, sessionsReport } from './player-report.js';

export const OPTIONS = [
  ...ACTION_OPTIONS,
  'limit',
  'since',
  'outcome',
  'before',
  'email',
  'provider',
  'to',
  'game-account',
  'address',
];

export const USAGE = `gatehouse player show <who>                          state, locks, links, last sign-ins, withdrawals, acts
gatehouse player logins <who> [--since 1d] [--outcome ok|bad_credentials|…] [--limit 50] [--before <id>]
gatehouse player withdrawals <who> [--limit 50] [--before <id>]
gatehouse player sessions <who>                      where the player is signed in

gatehouse player disable|enable <who>                no sign-in and no token of it works; and again
gatehouse player unlock <who> [--address <address>]  ends locks after failed logins; of an address only if it is named
gatehouse player sign-out <who>                      ends every session and JWT
gatehouse player set-email <who> --email <mailbox>
gatehouse player set-password <who>                  asks for the password, or reads it from standard input
gatehouse player unlink <who> --provider forum
gatehouse player rename <who> --to <new name>        keeps the roles in the game, under the name as its tables write it;
                                                     [--game-account <that name>] where the servers cannot be read
gatehouse player secure <who> [--email <mailbox>]    somebody else has the account: ends sessions, tokens, password and links
Each of these needs --by <your name> --note <why>, says what it will do, and asks unless --yes.

<who> is an account name, a mailbox, a player's id or a connect_id; id:42, name:42, mail:… or connect:42 where it could be several.
--json prints JSON. Times are UTC.

Examples
  gatehouse player show dragon_slayer
  gatehouse player logins dragon@example.com --since 1d
  gatehouse player disable 42 --by anna --note "chargeback, ticket 811"
  gatehouse player secure dragon_slayer --email owner@example.com --by anna --note "ticket 812" --yes`;

/** What people ask and do about players on a terminal. */
@Injectable()
export class PlayerCommand {
  constructor(
    private readonly finder: PlayerFinder,
    private readonly overview: PlayerOverview,
    private readonly actionCommands: PlayerActionCommands,
  ) {}

  async run(args: string[]): Promise<Report & { json: boolean }> {
    const given = parseArguments(args, OPTIONS);
    const [command, who, ...more] = given.positionals;
    if (command === undefined) throw new UsageError('say what to do');
    if (who === undefined || more.length > 0) throw new UsageError('not understood');
    return { ...(await this.dispatch(command, who, given)), json: given.json };
  }

  private async dispatch(command: string, who: string, given: Arguments): Promise<Report> {
    if (command === 'show') return this.show(await this.findPlayer(who));
    if (command === 'logins') return this.logins(await this.findPlayer(who), given);
    if (command === 'withdrawals') return this.withdrawals(await this.findPlayer(who), given);
    if (command === 'sessions') return this.sessions(await this.findPlayer(who));
    const action = this.actionCommands.find(command, given);
    if (!action) throw new UsageError(`there is no "player ${command}"`);
    const operator = requireAttribution(given);
    return action(await this.findPlayer(who), operator);
  }

  private async show(player: Player): Promise<Report> {
    const overview = await this.overview.load(player);
    return { text: overviewReport(overview), data: overview };
  }

  private async logins({ id }: Player, given: Arguments): Promise<Report> {
    const { outcome, before } = given.options;
    if (before !== undefined) parsePositiveInt(before, 'id of a sign-in');
    const filter = { since: parseSince(given), outcome, before, limit: parseLimit(given, 50) };
    const data = await this.overview.logins(id, filter);
    return { text: loginsReport(data), data };
  }

  private async sessions({ id }: Player): Promise<Report> {
    const data = await this.overview.sessions(id);
    return { text: sessionsReport(data), data };
  }

  private async withdrawals({ id }: Player, given: Arguments): Promise<Report> {
    const { before } = given.options;
    const from = before === undefined ? undefined : parsePositiveInt(before, 'id of a withdrawal');
    const data = await this.overview.withdrawals(id, parseLimit(given, 50), from);
    return { text: data.length === 0 ? 'There are none.' : withdrawalListReport(data), data };
  }

  private async findPlayer(who: string): Promise<Player> {
    const [player, ...others] = await this.finder.find(who);
    if (!player) throw new CommandFailed(`there is no player "${who}"`);
    if (others.length === 0) return player;
    const found = [player, ...others].map(({ id, account }) => `id:${id} (${account})`);
    throw new CommandFailed(`"${who}" is several players, say which: ${found.join(', ')}`);
  }
}
