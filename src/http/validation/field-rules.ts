/** Of a column of type INT. */
export const LARGEST_INT = 2_147_483_647;

export interface TextRules {
  min?: number;
  max: number;
  pattern?: RegExp;
  /** What a person is told when the pattern does not match. */
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

/** What is wrong with a value that is to be a whole number, in words for the caller. */
export function wholeProblem(value: unknown, { min = 1, max }: WholeRules): string | undefined {
  const highest = max ?? Number.MAX_SAFE_INTEGER;
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= highest) return undefined;
  return max === undefined
    ? `must be a whole number of at least ${min}`
    : `must be a whole number from ${min} to ${max}`;
}

/** What is wrong with a value that is to be text, in words for the caller. */
export function textProblem(value: unknown, rules: TextRules): string | undefined {
  const { min = 1, max, pattern, hint } = rules;
  if (typeof value !== 'string') return 'must be a string';
  if (!isOfLength(value, min, max))
    return min === max
      ? `must be ${max} characters long`
      : `must be ${min} to ${max} characters long`;
  // A NUL ends strings early in C code behind us; a lone surrogate is stored as another character than was sent.
  if (value.includes('\0') || !value.isWellFormed()) return 'must be plain text';
  if (pattern && !pattern.test(value)) return hint ?? 'is not well-formed';
  return undefined;
}

/** In characters, of which each takes one or two units; they are counted only where the units leave it open. */
function isOfLength(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length >= 2 * min && value.length <= max) return true;
  const length = Array.from(value).length;
  return length >= min && length <= max;
}
