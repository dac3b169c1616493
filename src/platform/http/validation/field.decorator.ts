import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';

/** This is the largest value of an INT column. */
export const MAX_INT = 2_147_483_647;

interface FieldRules {
  optional?: boolean;
  /** Says whether null is a valid value. If this is unset, null means that an optional field is omitted. */
  nullable?: boolean;
  description?: string;
}

export interface TextRules extends FieldRules {
  min?: number;
  max: number;
  pattern?: RegExp;
  /** Tells the client what is wrong with a value that does not match the pattern. */
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

const WORD = "[A-Za-z0-9_+~&=#'-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/**
 * Matches one plain ASCII e-mail address without display name, quotes, comments, second recipient or routing. A leading
 * dash is rejected, because a mail program could mistake it for an option.
 */
const MAILBOX = new RegExp(
  `^(?!-)(?=[^@]{1,64}@)${WORD}(?:\\.${WORD})*@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`,
);

export const EMAIL_RULES = {
  max: 254,
  pattern: MAILBOX,
  hint: 'must be an e-mail address',
  example: 'player@example.com',
};

export const oneOf = (words: readonly string[]) => ({
  max: 32,
  pattern: new RegExp(`^(${words.join('|')})$`),
  hint: `must be one of ${words.join(', ')}`,
});

const FIELDS = Symbol('fields');
const OBJECT_FIELDS = Symbol('object fields');

interface FieldSchema {
  type: string;
  nullable?: boolean;
  format?: string;
  description?: string;
}

/** Validates and documents a string field. Its name in JSON is the property name in snake_case. */
export function TextField(rules: TextRules): PropertyDecorator {
  const problem = (value: unknown) => textProblem(value, rules);
  return field(rules, textSchema(rules), [validateWith('text', problem)]);
}

/** Accepts a whole JSON number, but not the string `"7"`. */
export function IntegerField(rules: IntegerRules = {}): PropertyDecorator {
  const problem = (value: unknown) => integerProblem(value, rules);
  return field(rules, integerSchema(rules), [validateWith('whole', problem)]);
}

/** The value false means the same as omitting the flag. */
export function FlagField(description: string, nullable?: false): PropertyDecorator {
  const problem = (value: unknown) =>
    typeof value === 'boolean' ? undefined : 'must be true or false';
  const rules = { optional: true, nullable };
  return field(rules, { type: 'boolean', description }, [validateWith('flag', problem)]);
}

/** Accepts an optional object whose content the handler checks. */
export function ObjectField(description: string): PropertyDecorator {
  const problem = (value: unknown) =>
    typeof value === 'object' && !Array.isArray(value) ? undefined : 'must be an object';
  const schema = { type: 'object', additionalProperties: true, description };
  const rules = field({ optional: true }, schema, [validateWith('object', problem)]);
  return (target, property) => {
    const names = [...objectFields(target.constructor as Type), String(property)];
    Reflect.defineMetadata(OBJECT_FIELDS, names, target);
    rules(target, property);
  };
}

/** Accepts a whole number in a query string. */
export function IntegerQueryField(rules: IntegerRules = {}): PropertyDecorator {
  const digits = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value,
  );
  const problem = (value: unknown) => integerProblem(value, rules);
  return field(rules, integerSchema(rules), [digits, validateWith('whole', problem)]);
}

/** Accepts an e-mail address and converts it to lower case, because addresses are compared and stored in lower case. */
export const EmailField = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.toLowerCase() : value,
    ),
    TextField(EMAIL_RULES),
  ) as PropertyDecorator;

export function toWireName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function fieldSchemas(dto: Type): Record<string, FieldSchema> {
  const schemas: unknown = Reflect.getMetadata(FIELDS, dto.prototype as object);
  return (schemas ?? {}) as Record<string, FieldSchema>;
}

export function objectFields(dto: Type): string[] {
  const names: unknown = Reflect.getMetadata(OBJECT_FIELDS, dto.prototype as object);
  return (names ?? []) as string[];
}

const nullToUndefined = Transform(({ value }: { value: unknown }) => value ?? undefined);

function field(
  { optional = false, nullable }: { optional?: boolean; nullable?: boolean },
  schema: FieldSchema,
  rules: PropertyDecorator[],
): PropertyDecorator {
  const isAbsent = (value: unknown) =>
    (optional && value === undefined) || (nullable === true && value === null);
  return (target, property) => {
    const name = toWireName(String(property));
    const fields = { ...fieldSchemas(target.constructor as Type), [name]: schema };
    Reflect.defineMetadata(FIELDS, fields, target);
    applyDecorators(
      Expose({ name }),
      ApiProperty({ name, required: !optional, ...(schema as object) }),
      ...(optional || nullable ? [ValidateIf((_dto, value) => !isAbsent(value))] : []),
      ...(optional && nullable === undefined ? [nullToUndefined] : []),
      ...rules,
    )(target, property);
  };
}

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

/** Describes to the client what is wrong with a whole number. Returns undefined if the number is valid. */
export function integerProblem(value: unknown, { min = 1, max }: IntegerRules): string | undefined {
  const highest = max ?? Number.MAX_SAFE_INTEGER;
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= highest) return undefined;
  return max === undefined
    ? `must be a whole number of at least ${min}`
    : `must be a whole number from ${min} to ${max}`;
}

/** Describes to the client what is wrong with a string. Returns undefined if the string is valid. */
export function textProblem(value: unknown, rules: TextRules): string | undefined {
  const { min = 1, max, pattern, hint } = rules;
  if (typeof value !== 'string') return 'must be a string';
  if (!isOfLength(value, min, max))
    return min === max
      ? `must be ${max} characters long`
      : `must be ${min} to ${max} characters long`;
  // A NUL would end strings early in C code, and a lone surrogate would be stored as another character.
  if (value.includes('\0') || !value.isWellFormed()) return 'must be plain text';
  if (pattern && !pattern.test(value)) return hint ?? 'is not well-formed';
  return undefined;
}

/** Compares the length in characters. It counts them only if the number of UTF-16 units is not conclusive. */
function isOfLength(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length >= 2 * min && value.length <= max) return true;
  const length = Array.from(value).length;
  return length >= min && length <= max;
}

function validateWith(
  name: string,
  problem: (value: unknown) => string | undefined,
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => problem(value) === undefined,
      defaultMessage: (args) => problem(args?.value) ?? '',
    },
  });
}
