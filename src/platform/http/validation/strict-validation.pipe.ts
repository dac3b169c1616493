import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validate } from 'class-validator';
import type { FieldProblem } from '../errors/app-error.js';
import { InvalidRequest } from '../errors/http.errors.js';
import { objectFields, toWireName } from './field.decorator.js';

// TypeScript emits these metatypes for parameters without a class.
const NO_DTO = new Set<unknown>([Object, String, Number, Boolean, Array]);
// This symbol replaces nested objects and lists, because no field accepts it.
const NESTED = Symbol('too deep');

/** Converts a body or query to its DTO without coercion or unknown fields, and reports all problems together. */
@Injectable()
export class StrictValidationPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (!metatype || (type !== 'body' && type !== 'query') || NO_DTO.has(metatype)) return value;
    const dto = plainToInstance(metatype, replaceNested(value as object), {
      excludeExtraneousValues: true,
      exposeUnsetFields: false,
    }) as Record<string, unknown>;
    // Object fields bypass class-transformer, which would interpret their content.
    for (const property of objectFields(metatype))
      dto[property] = (value as Record<string, unknown>)[toWireName(property)] ?? undefined;
    const errors = await validate(dto, { forbidUnknownValues: true });
    if (errors.length > 0) throw new InvalidRequest(errors.flatMap((error) => problemsOf(error)));
    return dto;
  }
}

/** Hides nested values from class-transformer, which would crash on a nested `{"constructor": 1}`. */
function replaceNested(value: object): object {
  const flat = ([name, field]: [string, unknown]) => [
    name,
    typeof field === 'object' && field !== null ? NESTED : field,
  ];
  return Object.fromEntries(Object.entries(value).map(flat)) as object;
}

function problemsOf(error: ValidationError, parent = ''): FieldProblem[] {
  const field = parent + toWireName(error.property);
  const [message] = Object.values(error.constraints ?? {});
  return [
    ...(message === undefined ? [] : [{ field, message }]),
    ...(error.children ?? []).flatMap((child) => problemsOf(child, `${field}.`)),
  ];
}
