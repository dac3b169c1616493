import { Injectable } from '@nestjs/common';
import type { Player } from '../../auth/player.entity.js';
import {
  boundOf,
  byPlace,
  type Place,
  TIMELINE_KINDS,
  type TimelineKind,
} from './timeline-place.js';
import { type TimelineEvent, TimelineSources } from './timeline-sources.js';

export interface TimelineFilter {
  kinds?: TimelineKind[];
  before?: Place;
  limit: number;
}

/** Everything that happened to a player, newest first, in one list. */
@Injectable()
export class PlayerTimeline {
  constructor(private readonly sources: TimelineSources) {}

  async of(
    player: Player,
    filter: TimelineFilter,
  ): Promise<{ events: TimelineEvent[]; next: Place | null }> {
    const { kinds = TIMELINE_KINDS, before, limit } = filter;
    const found = await Promise.all(
      kinds.map((kind) => this.sources.of[kind](player, boundOf(kind, before), limit + 1)),
    );
    const events = found.flat().toSorted(byPlace);
    const page = events.slice(0, limit);
    return { events: page, next: events.length > limit ? page.at(-1)! : null };
  }
}
