import type { TimelineEvent, TimelinePage } from '../api/answers';
import { KINDS } from './timeline-kinds';

/** The id of a link is its position in the current list of links, so the id may change. */
export const keyOf = ({ kind, id, at, provider }: TimelineEvent) =>
  kind === 'link' ? `link ${at} ${String(provider)}` : `${kind} ${id}`;

/** An event that moved up may also be on an older page, in its old version. */
export function onceEach(items: TimelineEvent[]): TimelineEvent[] {
  const known = new Set<string>();
  return items.filter((item) => known.size < known.add(keyOf(item)).size);
}

const SAME_SIGN_IN_MS = 5000;

/** Removes a running session if its sign-in is in the list. */
export function withoutDoubles(items: TimelineEvent[]): TimelineEvent[] {
  const signIns = items.filter(({ kind, outcome }) => kind === 'login' && outcome === 'ok');
  const isSame = (one: TimelineEvent, other: TimelineEvent) =>
    one.address === other.address &&
    Math.abs(Date.parse(one.at) - Date.parse(other.at)) < SAME_SIGN_IN_MS;
  return items.filter(
    (item) =>
      item.kind !== 'session' || item.ended_at || !signIns.some((signIn) => isSame(signIn, item)),
  );
}

/** Returns the list with its newest part replaced. Older events that are already loaded stay. */
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

/** Returns whether so much happened between two updates that events may be missing. */
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
