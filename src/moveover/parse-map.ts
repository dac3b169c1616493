import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { parseDocument } from 'yaml';
import { ConfigurationError, describeProblems } from '../config/problems.js';
import { MoveoverMap } from './moveover-map.js';

export function readMap(file: string): MoveoverMap {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(file, [`${file} cannot be read (${code})`]);
  }
  return parseMap(text, file);
}

/** Parses and validates the map, and names every problem at once. */
export function parseMap(text: string, source: string): MoveoverMap {
  const document = parseDocument(text);
  const broken = document.errors.map((error) => error.message.split('\n')[0] ?? error.message);
  if (broken.length > 0) throw named(source, broken);
  const given: unknown = document.toJS();
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw named(source, ['must be a list of `name: value`']);
  const map = plainToInstance(MoveoverMap, given);
  const errors = validateSync(map, { whitelist: true, forbidNonWhitelisted: true });
  const problems = describeProblems(errors).map((problem) =>
    problem.replace(/ property \S+ should not exist$/, ' is not known in a map'),
  );
  if (problems.length === 0) problems.push(...contradictions(map));
  if (problems.length > 0) throw named(source, problems);
  return map;
}

function contradictions({ players, bans, links }: MoveoverMap): string[] {
  const byId = { bans, links };
  return Object.entries(byId)
    .filter(([, group]) => group?.refers_to === 'id' && players.columns.id === null)
    .map(([name]) => `${name}.refers_to is id, but players.columns.id is not set`);
}

function named(source: string, problems: string[]): ConfigurationError {
  return new ConfigurationError(
    source,
    problems.map((problem) => `${source}: ${problem}`),
  );
}
