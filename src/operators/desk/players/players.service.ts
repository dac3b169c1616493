import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PlayerOverview } from '../../actions/players/player-overview.js';
import { PlayerSearch } from '../../actions/players/player-search.js';
import { PlayerTimeline } from '../../actions/players/player-timeline.js';
import {
  isTimelineKind,
  parseTimelineCursor,
  TIMELINE_KINDS,
  formatTimelineCursor,
} from '../../actions/players/timeline-cursor.js';
import { playerAuditSubject } from '../../actions/audit-subjects.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { InvalidRequest, NotFound } from '../../../platform/http/errors/http.errors.js';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import type { PlayerList, PlayerPageResponse, TimelinePage } from '../responses/players.js';
import { DEFAULT_PAGE_SIZE } from '../pagination.dto.js';
import { hasAuditedViews } from '../permissions.js';
import { toEventView, toMatchView, toPageView } from './player.view.js';
import type { FindPlayersDto, TimelineDto } from './players.dto.js';

/** Players, for the desk. */
@Injectable()
export class PlayersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly search: PlayerSearch,
    private readonly overview: PlayerOverview,
    private readonly timelines: PlayerTimeline,
    private readonly audit: AuditLog,
  ) {}

  async find(
    { role }: DeskOperator,
    { q = '', after, limit = DEFAULT_PAGE_SIZE }: FindPlayersDto,
  ): Promise<PlayerList> {
    const { matches, next } = await this.search.find(q.trim(), after, limit);
    return { players: matches.map((match) => toMatchView(match, role)), next };
  }

  async page(operator: DeskOperator, id: number): Promise<PlayerPageResponse> {
    const player = await this.get(id);
    const overview = await this.overview.load(player);
    if (hasAuditedViews(operator.role))
      await this.audit.writeView(operator.name, playerAuditSubject(id));
    return toPageView(overview, operator.role);
  }

  async timeline({ role }: DeskOperator, id: number, dto: TimelineDto): Promise<TimelinePage> {
    const player = await this.get(id);
    const before = dto.before === undefined ? undefined : parseTimelineCursor(dto.before);
    if (dto.before !== undefined && !before)
      throw new InvalidRequest([
        { field: 'before', message: 'must be a time, or `next` of a page' },
      ]);
    const kinds = dto.kinds?.split(',');
    if (kinds && !kinds.every(isTimelineKind))
      throw new InvalidRequest([
        { field: 'kinds', message: `must be of ${TIMELINE_KINDS.join()}` },
      ]);
    const { limit = DEFAULT_PAGE_SIZE } = dto;
    const { events, next } = await this.timelines.load(player, { kinds, before, limit });
    return {
      events: events.map((event) => toEventView(event, role)),
      next: next && formatTimelineCursor(next),
    };
  }

  async get(id: number): Promise<Player> {
    const player = await this.dataSource.manager.findOneBy(Player, { id });
    if (!player) throw new NotFound();
    return player;
  }
}
