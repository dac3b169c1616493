import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';
import {
  textProblem,
  type TextRules,
  textSchema,
  integerProblem,
  type IntegerRules,
  integerSchema,
} from './field-rules.js';

const FIELDS = Symbol('fields');
const OBJECT_FIELDS = Symbol('object fields');

interface FieldSchema {
  type: string;
  nullable?: boolean;
  format?: string;
  description?: string;
}

/** A string field: validation and OpenAPI in one. Its wire name is the property in snake_case. */
export function TextField(rules: TextRules): PropertyDecorator {
  const problem = (value: unknown) => textProblem(value, rules);
  return field(rules, textSchema(rules), [validateWith('text', problem)]);
}

/** A whole JSON number; the string `"7"` is refused. */
export function IntegerField(rules: IntegerRules = {}): PropertyDecorator {
  const problem = (value: unknown) => integerProblem(value, rules);
  return field(rules, integerSchema(rules), [validateWith('whole', problem)]);
}

/** An optional flag: true, or false, which is the same as omitting it. */
export function FlagField(description: string, nullable?: false): PropertyDecorator {
  const problem = (value: unknown) =>
    typeof value === 'boolean' ? undefined : 'must be true or false';
  const rules = { optional: true, nullable };
  return field(rules, { type: 'boolean', description }, [validateWith('flag', problem)]);
}

/** An optional object whose content the service checks itself: no field of it is read here. */
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

/** A whole number in a query string. */
export function IntegerQueryField(rules: IntegerRules = {}): PropertyDecorator {
  const digits = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value,
  );
  const problem = (value: unknown) => integerProblem(value, rules);
  return field(rules, integerSchema(rules), [digits, validateWith('whole', problem)]);
}

export function toWireName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The fields of a DTO by their wire names. */
export function fieldSchemas(dto: Type): Record<string, FieldSchema> {
  const schemas: unknown = Reflect.getMetadata(FIELDS, dto.prototype as object);
  return (schemas ?? {}) as Record<string, FieldSchema>;
}

/** The properties of a DTO that take an object. */
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
