import { TextField, WholeQueryField } from '../http/validation/field.decorator.js';

export const MOST_LISTED = 100;
export const LISTED = 50;

const TIME =
  /^(19|20)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?Z$/;
export const TIME_RULES = {
  max: 24,
  pattern: TIME,
  hint: 'must be a time in UTC, such as 2026-11-15T02:14:00Z',
};

/** A time in UTC. */
export const TimeField = () => TextField({ ...TIME_RULES, optional: true });

export const LimitField = () => WholeQueryField({ max: MOST_LISTED, optional: true });

/** The id of the last one of the page before. */
export const BeforeField = () => WholeQueryField({ optional: true });

export function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

/** Why an operator acts: nothing is done without. */
export class NoteDto {
  @TextField({ max: 1000, pattern: /\S/, hint: 'must say why' })
  note: string;
}

/** Cuts off the one that was read too many, and gives the id of the last one where there are more. */
export function pageOf<T extends { id: number | string }>(rows: T[], limit: number) {
  const page = rows.slice(0, limit);
  return { page, next: rows.length > limit ? Number(page.at(-1)!.id) : null };
}
