import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';

interface TextRules {
  min?: number;
  max: number;
  pattern?: RegExp;
  /** What a person is told when the pattern does not match. */
  hint?: string;
  optional?: boolean;
  description?: string;
  example?: string;
}

interface WholeRules {
  min?: number;
  max?: number;
  optional?: boolean;
  description?: string;
  example?: number;
}

/** A string on the wire, checked and documented in one place. Its wire name is the property in snake_case. */
export function TextField(rules: TextRules): PropertyDecorator {
  const { min = 1, max, pattern, optional = false, description, example } = rules;
  return field(
    optional,
    {
      type: String,
      minLength: min,
      maxLength: max,
      description,
      example,
      pattern: pattern?.source,
    },
    [
      ValidateBy({
        name: 'text',
        validator: {
          validate: (value) => textProblem(value, rules) === undefined,
          defaultMessage: (args) => textProblem(args?.value, rules) ?? '',
        },
      }),
    ],
  );
}

/** A JSON number without a fraction; `"7"` is not one. */
export function WholeField(rules: WholeRules = {}): PropertyDecorator {
  return field(rules.optional ?? false, wholeSchema(rules), wholeRules(rules));
}

/** A whole number in a query string, where everything is text. */
export function WholeQueryField(rules: WholeRules = {}): PropertyDecorator {
  const digits = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value,
  );
  return field(rules.optional ?? false, wholeSchema(rules), [digits, ...wholeRules(rules)]);
}

export function toWireName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function field(optional: boolean, schema: object, rules: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    const name = toWireName(String(property));
    applyDecorators(
      Expose({ name }),
      ApiProperty({ name, required: !optional, ...schema }),
      ...(optional ? [IsOptional()] : []),
      ...rules,
    )(target, property);
  };
}

function wholeSchema({ min = 1, max, description, example }: WholeRules) {
  return { type: 'integer', minimum: min, maximum: max, description, example };
}

function wholeRules({ min = 1, max = Number.MAX_SAFE_INTEGER }: WholeRules): PropertyDecorator[] {
  const message =
    max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number of at least ${min}`
      : `must be a whole number from ${min} to ${max}`;
  return [IsInt({ message }), Min(min, { message }), Max(max, { message })];
}

function textProblem(value: unknown, rules: TextRules): string | undefined {
  const { min = 1, max, pattern, hint } = rules;
  if (typeof value !== 'string') return 'must be a string';
  const length = Array.from(value).length;
  if (length < min || length > max)
    return min === max
      ? `must be ${max} characters long`
      : `must be ${min} to ${max} characters long`;
  // A NUL ends strings early in C code behind us; a lone surrogate is stored as another character than was sent.
  if (value.includes('\0') || !value.isWellFormed()) return 'must be plain text';
  if (pattern && !pattern.test(value)) return hint ?? 'is not well-formed';
  return undefined;
}
