import { Column, type ColumnOptions } from 'typeorm';
import { snakeCase } from 'typeorm/util/StringUtils.js';

/** Names the column like the property, in snake case. The migrations explain what each column is for. */
const column =
  (options: ColumnOptions): PropertyDecorator =>
  (target, property) =>
    Column({ name: snakeCase(String(property)), ...options })(target, property);

export const IntColumn = (options: ColumnOptions = {}) => column({ type: 'int', ...options });

// The drivers return BIGINT as text, although every value in these columns is a safe integer.
const number = { to: (value: unknown) => value, from: (value: unknown) => value && Number(value) };

export const BigIntColumn = (options: ColumnOptions = {}) =>
  column({ type: 'bigint', transformer: number, ...options });

export const TextColumn = (length: number, options: ColumnOptions = {}) =>
  column({ type: 'varchar', length, ...options });

export const TimeColumn = (options: ColumnOptions = {}) =>
  column({ type: 'datetime', precision: 3, ...options });

export const FlagColumn = (options: ColumnOptions = {}) =>
  column({ type: 'boolean', default: false, ...options });

export const EnumColumn = (values: readonly string[], options: ColumnOptions = {}) =>
  column({ type: 'simple-enum', enum: [...values], ...options });
