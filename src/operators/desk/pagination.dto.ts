import { TIME_RULES } from '../../platform/http/validation/field-rules.js';
import { TextField, IntegerQueryField } from '../../platform/http/validation/field.decorator.js';

export const MAX_PAGE_SIZE = 100;
export const DEFAULT_PAGE_SIZE = 50;

/** A time in UTC. */
export const TimeField = () => TextField({ ...TIME_RULES, optional: true });

export const LimitField = () => IntegerQueryField({ max: MAX_PAGE_SIZE, optional: true });

/** The id of the last one of the previous page. */
export const CursorField = () => IntegerQueryField({ optional: true });

export function parseTime(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

/** The operator's reason: every act needs one. */
export class NoteDto {
  @TextField({ max: 1000, pattern: /\S/, hint: 'must say why' })
  note: string;
}

/** Removes the extra row that was read, and returns the id of the last one if there are more. */
export function toPage<T extends { id: number | string }>(rows: T[], limit: number) {
  const page = rows.slice(0, limit);
  return { page, next: rows.length > limit ? Number(page.at(-1)!.id) : null };
}
