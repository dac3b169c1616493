import { Injectable, Module } from '@nestjs/common';
import type { Player } from '../../../platform/auth/player.entity.js';
import { CountersModule } from '../../../platform/counters/counters.js';
import { PlayerActionsModule } from '../../actions/players/player-actions.module.js';
import { PlayerBans } from '../../actions/players/player-bans.js';
import { PlayerClosings } from '../../actions/players/player-closings.js';
import { PlayerOverview } from '../../actions/players/player-overview.js';
import { PlayerSearch } from '../../actions/players/player-search.js';
import { PlayerTimeline } from '../../actions/players/player-timeline.js';
import {
  formatTimelineCursor,
  isTimelineKind,
  parseTimelineCursor,
  TIMELINE_KINDS,
} from '../../actions/players/timeline-cursor.js';
import { CommandFailed, type Report, UsageError } from '../command.js';
import { loginsReport } from '../events/event-report.js';
import { type ListOptions, readTime, TIME_EXAMPLE } from '../command-options.js';
import { withdrawalListReport } from '../withdrawal/withdrawal-report.js';
import {
  type PlayerAction,
  PlayerActionCommands,
  type PlayerActionOptions,
} from './player-action-commands.js';
import {
  bansInForceReport,
  bansReport,
  closingsReport,
  mailsReport,
  overviewReport,
  sessionsReport,
  timelineReport,
} from './player-report.js';

interface TimelineOptions {
  kinds?: string;
  before?: string;
  limit: number;
}

interface LoginListOptions extends ListOptions {
  since?: Date;
  outcome?: string;
}

@Injectable()
export class PlayerCommand {
  constructor(
    private readonly search: PlayerSearch,
    private readonly overview: PlayerOverview,
    private readonly playerBans: PlayerBans,
    private readonly closings: PlayerClosings,
    private readonly timelines: PlayerTimeline,
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

  async timeline(who: string, { kinds: given, before, limit }: TimelineOptions): Promise<Report> {
    const kinds = given?.split(',');
    if (kinds && !kinds.every(isTimelineKind))
      throw new UsageError(`--kinds must be of ${TIMELINE_KINDS.join()}`);
    const cursor =
      before === undefined
        ? undefined
        : parseTimelineCursor(readTime(before)?.toISOString() ?? before);
    if (before !== undefined && !cursor)
      throw new UsageError(`--before must be a time such as ${TIME_EXAMPLE}`);
    const player = await this.findPlayer(who);
    const data = await this.timelines.load(player, { kinds, before: cursor, limit });
    const next = data.next && `\n\nOlder ones: --before ${formatTimelineCursor(data.next)}`;
    return { text: `${timelineReport(data.events)}${next ?? ''}`, data };
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
    return { text: bansReport(data), data };
  }

  async closing({ limit, save }: { limit: number; save?: string }): Promise<Report> {
    if (save !== undefined) {
      const accounts = await this.closings.save(save);
      return { text: `Saved ${accounts} accounts to ${save}.`, data: { accounts, file: save } };
    }
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
    const [player, ...others] = await this.search.findExact(who);
    if (!player)
      throw new CommandFailed(
        `there is no player "${who}"${who.includes('@') ? '; codes for a registration are only counted: gatehouse check' : ''}`,
      );
    if (others.length === 0) return player;
    const found = [player, ...others].map(({ id, account }) => `id:${id} (${account})`);
    throw new CommandFailed(`"${who}" matches several players; specify one of ${found.join(', ')}`);
  }
}

@Module({
  imports: [CountersModule, PlayerActionsModule],
  providers: [PlayerActionCommands, PlayerCommand],
})
export class PlayerCommandModule {}
