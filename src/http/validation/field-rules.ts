/** Largest value of an INT column. */
export const LARGEST_INT = 2_147_483_647;

export interface TextRules {
  min?: number;
  max: number;
  pattern?: RegExp;
  /** Message for a value that does not match the pattern. */
  hint?: string;
  optional?: boolean;
  description?: string;
  example?: string;
}

export interface WholeRules {
  min?: number;
  max?: number;
  optional?: boolean;
  description?: string;
  example?: number;
}

export function textSchema({ min = 1, max, pattern, description, example }: TextRules) {
  return {
    type: 'string',
    minLength: min,
    maxLength: max,
    description,
    example,
    pattern: pattern?.source,
  };
}

export function wholeSchema({ min = 1, max, description, example }: WholeRules) {
  return { type: 'integer', minimum: min, maximum: max, description, example };
}

/** The problem with a whole number, as told to the caller; undefined when it is fine. */
export function wholeProblem(value: unknown, { min = 1, max }: WholeRules): string | undefined {
  const highest = max ?? Number.MAX_SAFE_INTEGER;
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= highest) return undefined;
  return max === undefined
    ? `must be a whole number of at least ${min}`
    : `must be a whole number from ${min} to ${max}`;
}

/** The problem with a string, as told to the caller; undefined when it is fine. */
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

/** Length in characters. They are counted only when the number of UTF-16 units leaves it open. */
function isOfLength(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length >= 2 * min && value.length <= max) return true;
  const length = Array.from(value).length;
  return length >= min && length <= max;
}
