import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Attribution, AuditLog } from '../../../platform/audit/audit-log.js';
import { Player } from '../../../platform/auth/player.entity.js';
import { HOUR_MS } from '../../../platform/config/time.js';
import { currentTime } from '../../../platform/database/database-clock.js';
import { InvalidRequest, NotFound } from '../../../platform/http/errors/http.errors.js';
import { ActionRefused } from '../../actions/action-refused.js';
import { playerAuditSubject } from '../../actions/events/event-search.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import { PlayerActions } from '../../actions/players/player-actions.js';
import { PlayerClosings } from '../../actions/players/player-closings.js';
import { PlayerCredentials } from '../../actions/players/player-credentials.js';
import { PlayerOverview } from '../../actions/players/player-overview.js';
import { PlayerSearch } from '../../actions/players/player-search.js';
import { PlayerTimeline } from '../../actions/players/player-timeline.js';
import { SignInLocks } from '../../actions/players/sign-in-locks.js';
import {
  formatTimelineCursor,
  isTimelineKind,
  parseTimelineCursor,
  TIMELINE_KINDS,
} from '../../actions/players/timeline-cursor.js';
import { RoleNotAllowed } from '../access/access.errors.js';
import { hasAuditedViews, maskMailboxes, PLAYER_ACTION_ROLES } from '../access/permissions.js';
import { DEFAULT_PAGE_SIZE, type NoteDto } from '../http/pagination.dto.js';
import { toEventView, toMatchView, toPageView } from './player.view.js';
import type { BanDto, FindPlayersDto, SecureDto, TimelineDto, UnlockDto } from './players.dto.js';

@Injectable()
export class PlayersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly search: PlayerSearch,
    private readonly overview: PlayerOverview,
    private readonly timelines: PlayerTimeline,
    private readonly actions: PlayerActions,
    private readonly closings: PlayerClosings,
    private readonly credentials: PlayerCredentials,
    private readonly locks: SignInLocks,
    private readonly audit: AuditLog,
  ) {}

  async find({ role }: DeskOperator, { q = '', after, limit = DEFAULT_PAGE_SIZE }: FindPlayersDto) {
    const { matches, next } = await this.search.find(q.trim(), after, limit);
    return { players: matches.map((match) => toMatchView(match, role)), next };
  }

  async page(operator: DeskOperator, id: number) {
    const player = await this.get(id);
    const overview = await this.overview.load(player);
    if (hasAuditedViews(operator.role))
      await this.audit.writeView(operator.name, playerAuditSubject(id));
    return toPageView(overview, operator.role);
  }

  async timeline({ role }: DeskOperator, id: number, dto: TimelineDto) {
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

  /** Performs an action and returns the player's updated page. */
  async perform(
    operator: DeskOperator,
    id: number,
    { note }: NoteDto,
    act: (acts: PlayerActions, who: Attribution) => Promise<unknown>,
  ) {
    await act(this.actions, { by: operator.name, note });
    return this.page(operator, id);
  }

  ban(operator: DeskOperator, id: number, dto: BanDto) {
    const { scope, reason, hours } = dto;
    const until = hours === undefined ? null : new Date(currentTime() + hours * HOUR_MS);
    return this.perform(operator, id, dto, (acts, who) =>
      acts.ban(who, id, { scope, reason, until }),
    );
  }

  keep(operator: DeskOperator, id: number, dto: NoteDto) {
    return this.perform(operator, id, dto, (_, who) => this.closings.keep(who, id));
  }

  close(operator: DeskOperator, id: number, dto: NoteDto) {
    return this.perform(operator, id, dto, (_, who) => this.closings.close(who, id));
  }

  export({ name: by }: DeskOperator, id: number, { note }: NoteDto) {
    return this.closings.openExport({ by, note }, id);
  }

  async unlock(operator: DeskOperator, id: number, dto: UnlockDto) {
    const { address } = dto;
    if (address !== undefined && isIP(address) === 0)
      throw new InvalidRequest([{ field: 'address', message: 'must be an address' }]);
    if (!this.locks.areShared)
      throw new ActionRefused(
        'failed logins are not counted in Redis but in the memory of each instance: restart the instances, or wait',
      );
    await this.get(id);
    return this.perform(operator, id, dto, (_, who) => this.locks.release(who, id, address));
  }

  /** If an e-mail fails, the player's timeline shows the failure. */
  changeCredentials(
    operator: DeskOperator,
    id: number,
    dto: NoteDto,
    change: (credentials: PlayerCredentials, who: Attribution) => Promise<unknown>,
  ) {
    return this.perform(operator, id, dto, (_, who) => change(this.credentials, who));
  }

  async secure(operator: DeskOperator, id: number, dto: SecureDto) {
    const { hasSecondFactor } = await this.get(id);
    const isForAdmins = dto.email !== undefined || hasSecondFactor;
    if (isForAdmins && !PLAYER_ACTION_ROLES.secure_email.includes(operator.role))
      throw new RoleNotAllowed();
    // A refusal names the replaced e-mail address, which only some roles may read.
    const mask = (error: unknown) => {
      throw error instanceof ActionRefused
        ? new ActionRefused(maskMailboxes(error.message, operator.role), { cause: error })
        : error;
    };
    return this.perform(operator, id, dto, (acts, who) =>
      acts.secure(who, id, dto.email).catch(mask),
    );
  }

  private async get(id: number): Promise<Player> {
    const player = await this.dataSource.manager.findOneBy(Player, { id });
    if (!player) throw new NotFound();
    return player;
  }
}
