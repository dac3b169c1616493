import { Injectable } from '@nestjs/common';
import type { Player } from '../../../platform/auth/player.entity.js';
import {
  toTimelineBound,
  compareTimelineEvents,
  type TimelineCursor,
  TIMELINE_KINDS,
  type TimelineKind,
} from './timeline-cursor.js';
import { type TimelineEvent, TimelineSources } from './timeline-sources.js';

export interface TimelineFilter {
  kinds?: TimelineKind[];
  before?: TimelineCursor;
  limit: number;
}

/** Everything that happened to a player, newest first, in one list. */
@Injectable()
export class PlayerTimeline {
  constructor(private readonly sources: TimelineSources) {}

  async load(
    player: Player,
    filter: TimelineFilter,
  ): Promise<{ events: TimelineEvent[]; next: TimelineCursor | null }> {
    const { kinds = TIMELINE_KINDS, before, limit } = filter;
    const found = await Promise.all(
      kinds.map((kind) =>
        this.sources.find(kind, player, toTimelineBound(kind, before), limit + 1),
      ),
    );
    const events = found.flat().toSorted(compareTimelineEvents);
    const page = events.slice(0, limit);
    return { events: page, next: events.length > limit ? page.at(-1)! : null };
  }
}
