import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { IsOptional, ValidateBy } from 'class-validator';
import {
  textProblem,
  type TextRules,
  textSchema,
  wholeProblem,
  type WholeRules,
  wholeSchema,
} from './field-rules.js';

/** A string field: validation and OpenAPI in one. Its wire name is the property in snake_case. */
export function TextField(rules: TextRules): PropertyDecorator {
  const problem = (value: unknown) => textProblem(value, rules);
  return field(rules.optional ?? false, textSchema(rules), [holds('text', problem)]);
}

/** A whole JSON number; the string `"7"` is refused. */
export function WholeField(rules: WholeRules = {}): PropertyDecorator {
  const problem = (value: unknown) => wholeProblem(value, rules);
  return field(rules.optional ?? false, wholeSchema(rules), [holds('whole', problem)]);
}

/** An optional switch: true, or false, which is the same as leaving it out. */
export function FlagField(description: string): PropertyDecorator {
  const problem = (value: unknown) =>
    typeof value === 'boolean' ? undefined : 'must be true or false';
  return field(true, { type: 'boolean', description }, [holds('flag', problem)]);
}

/** A whole number in a query string. */
export function WholeQueryField(rules: WholeRules = {}): PropertyDecorator {
  const digits = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value,
  );
  const problem = (value: unknown) => wholeProblem(value, rules);
  return field(rules.optional ?? false, wholeSchema(rules), [digits, holds('whole', problem)]);
}

export function toWireName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const nullIsLeftOut = Transform(({ value }: { value: unknown }) => value ?? undefined);

function field(optional: boolean, schema: object, rules: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    const name = toWireName(String(property));
    applyDecorators(
      Expose({ name }),
      ApiProperty({ name, required: !optional, ...schema }),
      ...(optional ? [IsOptional(), nullIsLeftOut] : []),
      ...rules,
    )(target, property);
  };
}

function holds(name: string, problem: (value: unknown) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => problem(value) === undefined,
      defaultMessage: (args) => problem(args?.value) ?? '',
    },
  });
}
