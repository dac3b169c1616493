import type { Arguments } from '../arguments.js';
import { UsageError } from '../command.js';
import { InvalidRequest } from '../../../platform/http/errors/http.errors.js';
import type { ServerFields } from '../../actions/servers/server-actions.js';
import { readServerFields, SERVER_FIELDS } from '../../actions/servers/server-fields.dto.js';

const optionOf = (name: string) => (name === 'zone_group' ? 'group' : name.replaceAll('_', '-'));

export const SERVER_FIELD_OPTIONS = Object.keys(SERVER_FIELDS).map(optionOf);

/** The columns that the options name. */
export async function parseServerFields(texts: Arguments['options']): Promise<ServerFields> {
  const given = Object.keys(SERVER_FIELDS)
    .filter((name) => texts[optionOf(name)] !== undefined)
    .map((name) => [name, valueOf(name, texts[optionOf(name)]!)]);
  try {
    return await readServerFields(Object.fromEntries(given));
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const problems = error.details!.map(({ field, message }) => `--${optionOf(field)} ${message}`);
    throw new UsageError(problems.join('; '), { cause: error });
  }
}

/** Times on a terminal are UTC. */
export function parseUtcTime(text: string, option: string): Date {
  const isTime = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/.test(text);
  const time = new Date(`${text.replace(' ', 'T')}Z`);
  if (!isTime || Number.isNaN(time.getTime()))
    throw new UsageError(`--${option} is a time such as "2026-12-01 10:00" (UTC)`);
  return time;
}

/** As JSON has it; text that is no number stays for the DTO to refuse. */
function valueOf(name: string, text: string): unknown {
  const { type, format, nullable } = SERVER_FIELDS[name]!;
  if (nullable && text === 'none') return null;
  if (format === 'date-time') return parseUtcTime(text, optionOf(name)).toISOString();
  if (type === 'boolean') return parseYesNo(name, text);
  return type === 'integer' && /^-?\d{1,10}$/.test(text) ? Number(text) : text;
}

function parseYesNo(name: string, text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new UsageError(`--${optionOf(name)} is yes or no`);
  return text === 'yes';
}
