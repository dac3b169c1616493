export const TIMELINE_KINDS = [
  'login',
  'session',
  'entry',
  'withdrawal',
  'link',
  'mail',
  'change',
  'refusal',
  'act',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** Marks the end of a timeline page. Kind and id order events of the same time, so that none is lost or repeated. */
export interface TimelineCursor {
  at: Date;
  kind: TimelineKind;
  id: number;
}

/** Limits one kind to events that are earlier, or that have the same time and a smaller id. */
export interface TimelineBound {
  at: Date;
  id: number;
}

const CURSOR_PATTERN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)(?:~(\w+)~(\d{1,16}))?$/;

/** A plain time means everything before that time. */
export function parseTimelineCursor(text: string): TimelineCursor | undefined {
  const [, time, kind, id] = CURSOR_PATTERN.exec(text) ?? [];
  const at = new Date(time ?? Number.NaN);
  if (Number.isNaN(at.getTime())) return undefined;
  if (kind === undefined) return { at, kind: TIMELINE_KINDS.at(-1)!, id: 0 };
  return isTimelineKind(kind) ? { at, kind, id: Number(id) } : undefined;
}

export function formatTimelineCursor({ at, kind, id }: TimelineCursor): string {
  return `${at.toISOString()}~${kind}~${id}`;
}

/** Sorts newest first. Events of the same time are sorted by kind and then by descending id. */
export function compareTimelineEvents(one: TimelineCursor, other: TimelineCursor): number {
  return (
    other.at.getTime() - one.at.getTime() ||
    TIMELINE_KINDS.indexOf(one.kind) - TIMELINE_KINDS.indexOf(other.kind) ||
    other.id - one.id
  );
}

export function toTimelineBound(
  kind: TimelineKind,
  place: TimelineCursor | undefined,
): TimelineBound | undefined {
  if (!place) return undefined;
  const rank = TIMELINE_KINDS.indexOf(kind) - TIMELINE_KINDS.indexOf(place.kind);
  const id = rank === 0 ? place.id : rank < 0 ? 0 : Number.MAX_SAFE_INTEGER;
  return { at: place.at, id };
}

export function isTimelineKind(text: string): text is TimelineKind {
  return (TIMELINE_KINDS as readonly string[]).includes(text);
}
