import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PlayerOverview } from '../../accounts/desk/player-overview.js';
import { PlayerSearch } from '../../accounts/desk/player-search.js';
import { PlayerTimeline } from '../../accounts/desk/player-timeline.js';
import {
  isKind,
  readPlace,
  TIMELINE_KINDS,
  writePlace,
} from '../../accounts/desk/timeline-place.js';
import { PlayerEdits, subjectOfPlayer } from '../../accounts/player-edits.js';
import { Player } from '../../auth/player.entity.js';
import { InvalidRequest, NotFound } from '../../http/errors/http.errors.js';
import { AuditBook } from '../../journal/audit-book.js';
import type { DeskOperator } from '../access/role.js';
import type { PlayerList, PlayerLook, PlayerPage, TimelinePage } from '../answers/players.js';
import { LISTED } from '../list.dto.js';
import { isWatched } from '../permissions.js';
import { toEventView, toMatchView, toPageView } from './player.view.js';
import type { FindPlayersDto, TimelineDto } from './players.dto.js';

/** What the desk shows of players. */
@Injectable()
export class PlayersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly search: PlayerSearch,
    private readonly overview: PlayerOverview,
    private readonly timelines: PlayerTimeline,
    private readonly audit: AuditBook,
    private readonly edits: PlayerEdits,
  ) {}

  async find(
    { role }: DeskOperator,
    { q = '', after, limit = LISTED }: FindPlayersDto,
  ): Promise<PlayerList> {
    const { matches, next } = await this.search.find(q.trim(), after, limit);
    return { players: matches.map((match) => toMatchView(match, role)), next };
  }

  /** The page and the newest part of its timeline. */
  async look(operator: DeskOperator, id: number): Promise<PlayerLook> {
    const page = await this.page(operator, id);
    return { page, timeline: await this.timeline(operator, id, {}) };
  }

  async page(operator: DeskOperator, id: number): Promise<PlayerPage> {
    const player = await this.get(id);
    await this.edits.compare(id, player.disabledAt);
    const overview = await this.overview.of(player);
    if (isWatched(operator.role)) await this.audit.writeView(operator.name, subjectOfPlayer(id));
    return toPageView(overview, operator.role);
  }

  async timeline({ role }: DeskOperator, id: number, dto: TimelineDto): Promise<TimelinePage> {
    const player = await this.get(id);
    const before = dto.before === undefined ? undefined : readPlace(dto.before);
    if (dto.before !== undefined && !before)
      throw new InvalidRequest([
        { field: 'before', message: 'must be a time, or `next` of a page' },
      ]);
    const kinds = dto.kinds?.split(',');
    if (kinds && !kinds.every(isKind))
      throw new InvalidRequest([
        { field: 'kinds', message: `must be of ${TIMELINE_KINDS.join()}` },
      ]);
    const { limit = LISTED } = dto;
    const { events, next } = await this.timelines.of(player, { kinds, before, limit });
    return {
      events: events.map((event) => toEventView(event, role)),
      next: next && writePlace(next),
    };
  }

  /** Writes down what somebody did by SQL, which an act would hide. */
  async noteEdit(id: number): Promise<void> {
    const player = await this.dataSource.manager.findOneBy(Player, { id });
    if (player) await this.edits.compare(id, player.disabledAt);
  }

  async get(id: number): Promise<Player> {
    const player = await this.dataSource.manager.findOneBy(Player, { id });
    if (!player) throw new NotFound();
    return player;
  }
}
