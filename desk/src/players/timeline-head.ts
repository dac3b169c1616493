import type { TimelineEvent, TimelinePage } from '../api/answers';
import { KINDS } from './timeline-kinds';

/** The id of a link is its place among the links of now. */
export const keyOf = ({ kind, id, at, provider }: TimelineEvent) =>
  kind === 'link' ? `link ${at} ${String(provider)}` : `${kind} ${id}`;

/** An event that moved up may also come with an older page, as it was then. */
export function onceEach(items: TimelineEvent[]): TimelineEvent[] {
  const known = new Set<string>();
  return items.filter((item) => known.size < known.add(keyOf(item)).size);
}

/** The list with its newest part as it is now. What was read beyond it stays. */
export function withHead(
  items: TimelineEvent[],
  head: TimelinePage,
  kinds: readonly string[],
): TimelineEvent[] {
  const newest = head.events.filter(({ kind }) => kinds.includes(kind));
  const last = head.events.at(-1);
  if (head.next === null || !last) return newest;
  const known = new Set(newest.map(keyOf));
  return [...newest, ...items.filter((item) => isOlder(item, last) && !known.has(keyOf(item)))];
}

/** Whether so much has happened between two looks that something may be missing between them. */
export function isGap(before: TimelinePage, head: TimelinePage): boolean {
  if (head.next === null) return false;
  const known = new Set(before.events.map(keyOf));
  return known.size > 0 && !head.events.some((event) => known.has(keyOf(event)));
}

function isOlder(one: TimelineEvent, other: TimelineEvent): boolean {
  if (one.at !== other.at) return one.at < other.at;
  const rank = rankOf(one) - rankOf(other);
  return rank === 0 ? one.id < other.id : rank > 0;
}

function rankOf({ kind }: TimelineEvent): number {
  return (KINDS as readonly string[]).indexOf(kind);
}
