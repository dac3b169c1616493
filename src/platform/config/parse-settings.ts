import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { parseDocument } from 'yaml';
import { ConfigurationError, describeValidationErrors } from './configuration-error.js';
import { contradictions, DEFAULT_SETTINGS, SettingsValues } from './settings.schema.js';

// An empty file would silently clear the deny list and re-enable withdrawals.
const EMPTY_SETTINGS = 'sets nothing; write `defaults: true` if the defaults are meant';

/** Parses and validates the settings file. An omitted key gets its default. */
export function parseSettings(text: string, source: string): SettingsValues {
  const document = parseDocument(text);
  if (document.errors.length > 0)
    throw new ConfigurationError(
      source,
      document.errors.map((error) => error.message.split('\n')[0] ?? error.message),
    );
  const given = valueOf(document, source) ?? {};
  if (!isGroup(given)) throw new ConfigurationError(source, ['must be a list of `name: value`']);
  if (Object.keys(given).length === 0) throw new ConfigurationError(source, [EMPTY_SETTINGS]);

  const { defaults = true, ...changes } = given as { defaults?: unknown };
  const settings = plainToInstance(SettingsValues, mergeDefaults(DEFAULT_SETTINGS, changes));
  const errors = validateSync(settings, { whitelist: true, forbidNonWhitelisted: true });
  const problems = [
    ...(defaults === true ? [] : ['defaults must be true, or be left out']),
    ...describeValidationErrors(errors).map(describeUnknownKey),
    ...contradictions(settings),
  ];
  if (problems.length > 0) throw new ConfigurationError(source, problems);
  return settings;
}

/** Resolves YAML aliases, and throws if an alias is undefined or expands too far. */
function valueOf(document: ReturnType<typeof parseDocument>, source: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new ConfigurationError(source, [(error as Error).message]);
  }
}

/** A key without a value means an empty list or, for a group of settings, the group's defaults. */
function mergeDefaults(defaults: object, given: object): object {
  const merged: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries(given)) {
    const fallback = (defaults as Record<string, unknown>)[key];
    if (Array.isArray(fallback)) merged[key] = value ?? [];
    else if (isGroup(fallback) && isGroup(value)) merged[key] = mergeDefaults(fallback, value);
    else if (isGroup(fallback)) merged[key] = value ?? fallback;
    else merged[key] = value;
  }
  return merged;
}

function describeUnknownKey(problem: string): string {
  return problem.replace(/ property \S+ should not exist$/, ' is not a known setting');
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
