import {
  IntegerQueryField,
  TextField,
  TIME_RULES,
} from '../../../platform/http/validation/field.decorator.js';

export const MAX_PAGE_SIZE = 100;
export const DEFAULT_PAGE_SIZE = 50;

export const TimeField = () => TextField({ ...TIME_RULES, optional: true });

export const LimitField = () => IntegerQueryField({ max: MAX_PAGE_SIZE, optional: true });

/** Accepts the id of the last row of the previous page. */
export const CursorField = () => IntegerQueryField({ optional: true });

export function parseTime(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

export class NoteDto {
  @TextField({ max: 1000, pattern: /\S/, hint: 'must say why' })
  note: string;
}

/** Cuts the rows to a page, and returns the last row's id if there are more rows. */
export function toPage<T extends { id: number | string }>(rows: T[], limit: number) {
  const page = rows.slice(0, limit);
  return { page, next: rows.length > limit ? Number(page.at(-1)!.id) : null };
}
