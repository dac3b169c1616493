import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { parseDocument } from 'yaml';
import {
  ConfigurationError,
  describeValidationErrors,
} from '../../platform/config/configuration-error.js';
import { ImportMap } from './import-map.js';

export function readImportMap(file: string): ImportMap {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(file, [`${file} cannot be read (${code})`]);
  }
  return parseImportMap(text, file);
}

/** Parses and validates the map, and names every problem at once. */
export function parseImportMap(text: string, source: string): ImportMap {
  const document = parseDocument(text);
  const broken = document.errors.map((error) => error.message.split('\n')[0] ?? error.message);
  if (broken.length > 0) throw mapError(source, broken);
  const given: unknown = document.toJS();
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw mapError(source, ['must be a list of `name: value`']);
  const map = plainToInstance(ImportMap, given);
  const errors = validateSync(map, { whitelist: true, forbidNonWhitelisted: true });
  const problems = describeValidationErrors(errors).map((problem) =>
    problem.replace(/ property \S+ should not exist$/, ' is not known in a map'),
  );
  if (problems.length === 0) problems.push(...contradictions(map));
  if (problems.length > 0) throw mapError(source, problems);
  return map;
}

function contradictions({ players, bans, links }: ImportMap): string[] {
  const byId = { bans, links };
  return Object.entries(byId)
    .filter(([, group]) => group?.refers_to === 'id' && players.columns.id === null)
    .map(([name]) => `${name}.refers_to is id, but players.columns.id is not set`);
}

function mapError(source: string, problems: string[]): ConfigurationError {
  return new ConfigurationError(
    source,
    problems.map((problem) => `${source}: ${problem}`),
  );
}
