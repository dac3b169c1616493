import { Injectable } from '@nestjs/common';
import type { Player } from '../../../platform/auth/player.entity.js';
import type { ListOptions } from '../arguments.js';
import { CommandFailed, type Report } from '../command.js';
import { loginsReport } from '../events/event-report.js';
import { withdrawalListReport } from '../withdrawal/withdrawal-report.js';
import { PlayerFinder } from '../../actions/players/player-finder.js';
import { PlayerOverview } from '../../actions/players/player-overview.js';
import {
  type PlayerAction,
  PlayerActionCommands,
  type PlayerActionOptions,
} from './player-action-commands.js';
import { overviewReport, sessionsReport } from './player-report.js';

export interface LoginListOptions extends ListOptions {
  since?: Date;
  outcome?: string;
}

/** What people ask and do about players on a terminal. */
@Injectable()
export class PlayerCommand {
  constructor(
    private readonly finder: PlayerFinder,
    private readonly overview: PlayerOverview,
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

  async withdrawals(who: string, { limit, before }: ListOptions): Promise<Report> {
    const { id } = await this.findPlayer(who);
    const data = await this.overview.withdrawals(id, limit, before);
    return { text: data.length === 0 ? 'There are none.' : withdrawalListReport(data), data };
  }

  async act(action: PlayerAction, who: string, given: PlayerActionOptions): Promise<Report> {
    return this.actionCommands.run(action, await this.findPlayer(who), given);
  }

  private async findPlayer(who: string): Promise<Player> {
    const [player, ...others] = await this.finder.find(who);
    if (!player) throw new CommandFailed(`there is no player "${who}"`);
    if (others.length === 0) return player;
    const found = [player, ...others].map(({ id, account }) => `id:${id} (${account})`);
    throw new CommandFailed(`"${who}" is several players, say which: ${found.join(', ')}`);
  }
}
