import { TIME_RULES } from '../http/validation/field-rules.js';
import { TextField, WholeQueryField } from '../http/validation/field.decorator.js';

export const MOST_LISTED = 100;
export const LISTED = 50;

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
