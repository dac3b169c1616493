import { Injectable } from '@nestjs/common';
import type { Player } from '../../../platform/auth/player.entity.js';
import type { ListOptions } from '../arguments.js';
import { CommandFailed, type Report, UsageError } from '../command.js';
import { loginsReport } from '../events/event-report.js';
import { withdrawalListReport } from '../withdrawal/withdrawal-report.js';
import { PlayerBans } from '../../actions/players/player-bans.js';
import { PlayerClosings } from '../../actions/players/player-closings.js';
import { PlayerFinder } from '../../actions/players/player-finder.js';
import { PlayerOverview } from '../../actions/players/player-overview.js';
import { bansInForceReport, bansReport } from './ban-report.js';
import {
  type PlayerAction,
  PlayerActionCommands,
  type PlayerActionOptions,
} from './player-action-commands.js';
import { closingsReport, mailsReport, overviewReport, sessionsReport } from './player-report.js';

interface LoginListOptions extends ListOptions {
  since?: Date;
  outcome?: string;
}

/** Queries and acts about players, for terminals. */
@Injectable()
export class PlayerCommand {
  constructor(
    private readonly finder: PlayerFinder,
    private readonly overview: PlayerOverview,
    private readonly playerBans: PlayerBans,
    private readonly closings: PlayerClosings,
    private readonly actionCommands: PlayerActionCommands,
  ) {}

  async show(who: string): Promise<Report> {
    const overview = await this.overview.load(await this.findPlayer(who));
    return { text: overviewReport(overview), data: overview };
  }

  async logins(who: string, { before, since, outcome, limit }: LoginListOptions): Promise<Report> {
    const { id } = await this.findPlayer(who);
    const filter = { since, outcome, before: before?.toString(), limit };
    const data = await this.overview.logins(id, filter);
    return { text: loginsReport(data), data };
  }

  async sessions(who: string): Promise<Report> {
    const { id } = await this.findPlayer(who);
    const data = await this.overview.sessions(id);
    return { text: sessionsReport(data), data };
  }

  async mails(who: string, { limit }: { limit: number }): Promise<Report> {
    const { id } = await this.findPlayer(who);
    const data = await this.overview.mails(id, limit);
    return { text: mailsReport(data), data };
  }

  async bans(who: string | undefined, { limit, before }: ListOptions): Promise<Report> {
    if (who === undefined) {
      const inForce = await this.playerBans.listInForce(limit, before);
      return { text: bansInForceReport(inForce), data: inForce };
    }
    const { id } = await this.findPlayer(who);
    const data = await this.playerBans.findByPlayer(id);
    const lifted = data.some(({ liftedAt }) => liftedAt !== null);
    const hint = `\n\nWho lifted it: gatehouse events audit --subject "player ${id}" --act player.unban\nA ban lifted by SQL is not there.`;
    return { text: `${bansReport(data)}${lifted ? hint : ''}`, data };
  }

  async closing({ limit }: { limit: number }): Promise<Report> {
    const data = await this.closings.list(limit);
    return { text: closingsReport(data), data };
  }

  async close(who: string | undefined, given: PlayerActionOptions): Promise<Report> {
    if ((who === undefined) === (given.againFrom === undefined))
      throw new UsageError('say who, or --again-from a file');
    return who === undefined
      ? this.actionCommands.repeatClosings(given)
      : this.act('close', who, given);
  }

  async withdrawals(who: string, { limit, before }: ListOptions): Promise<Report> {
    const { id } = await this.findPlayer(who);
    const data = await this.overview.withdrawals(id, limit, before);
    return { text: withdrawalListReport(data), data };
  }

  async act(action: PlayerAction, who: string, given: PlayerActionOptions): Promise<Report> {
    return this.actionCommands.run(action, await this.findPlayer(who), given);
  }

  private async findPlayer(who: string): Promise<Player> {
    const [player, ...others] = await this.finder.find(who);
    if (!player)
      throw new CommandFailed(
        `there is no player "${who}"${who.includes('@') ? '; codes for a registration are only counted: gatehouse check' : ''}`,
      );
    if (others.length === 0) return player;
    const found = [player, ...others].map(({ id, account }) => `id:${id} (${account})`);
    throw new CommandFailed(`"${who}" is several players, say which: ${found.join(', ')}`);
  }
}
