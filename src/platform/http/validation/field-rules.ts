/** Largest value of an INT column. */
export const MAX_INT = 2_147_483_647;

interface FieldRules {
  optional?: boolean;
  /** True: null is a value. False: null is refused. Not set: null leaves an optional field out. */
  nullable?: boolean;
  description?: string;
}

export interface TextRules extends FieldRules {
  min?: number;
  max: number;
  pattern?: RegExp;
  /** Message for a value that does not match the pattern. */
  hint?: string;
  format?: 'date-time';
  example?: string;
}

export interface IntegerRules extends FieldRules {
  min?: number;
  max?: number;
  example?: number;
}

export const TIME_RULES = {
  max: 24,
  pattern:
    /^(19|20)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?Z$/,
  hint: 'must be a time in UTC, such as 2026-11-15T02:14:00Z',
  format: 'date-time',
} as const;

export const oneOf = (words: readonly string[]) => ({
  max: 32,
  pattern: new RegExp(`^(${words.join('|')})$`),
  hint: `must be one of ${words.join(', ')}`,
});

export function textSchema(rules: TextRules) {
  const { min = 1, max, pattern, format, nullable, description, example } = rules;
  return {
    type: 'string',
    minLength: min,
    maxLength: max,
    format,
    nullable,
    description,
    example,
    pattern: pattern?.source,
  };
}

export function integerSchema({ min = 1, max, nullable, description, example }: IntegerRules) {
  return { type: 'integer', minimum: min, maximum: max, nullable, description, example };
}

/** The problem with a whole number, in words for the caller; undefined if there is none. */
export function integerProblem(value: unknown, { min = 1, max }: IntegerRules): string | undefined {
  const highest = max ?? Number.MAX_SAFE_INTEGER;
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= highest) return undefined;
  return max === undefined
    ? `must be a whole number of at least ${min}`
    : `must be a whole number from ${min} to ${max}`;
}

/** The problem with a string, in words for the caller; undefined if there is none. */
export function textProblem(value: unknown, rules: TextRules): string | undefined {
  const { min = 1, max, pattern, hint } = rules;
  if (typeof value !== 'string') return 'must be a string';
  if (!isOfLength(value, min, max))
    return min === max
      ? `must be ${max} characters long`
      : `must be ${min} to ${max} characters long`;
  // A NUL ends strings early in C code behind us; a lone surrogate would be stored as another character.
  if (value.includes('\0') || !value.isWellFormed()) return 'must be plain text';
  if (pattern && !pattern.test(value)) return hint ?? 'is not well-formed';
  return undefined;
}

/** Length in characters. They are counted only if the number of UTF-16 units is not enough to decide. */
function isOfLength(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length >= 2 * min && value.length <= max) return true;
  const length = Array.from(value).length;
  return length >= min && length <= max;
}
