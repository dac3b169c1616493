import { UsageError } from '../command.js';
import { InvalidRequest } from '../../../platform/http/errors/http.errors.js';
import type { ServerFields } from '../../actions/servers/new-server.js';
import { readServerFields, SERVER_FIELDS } from '../../actions/servers/server-fields.dto.js';

/** As the parser names them: `gmPort` for `--gm-port`. */
export type ServerFieldOptions = Partial<Record<string, unknown>>;

const optionOf = (name: string) => (name === 'zone_group' ? 'group' : name.replaceAll('_', '-'));
const keyOf = (name: string) =>
  optionOf(name).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The columns that the options name. */
export async function parseServerFields(options: ServerFieldOptions): Promise<ServerFields> {
  const given = Object.keys(SERVER_FIELDS)
    .filter((name) => options[keyOf(name)] !== undefined)
    .map((name) => [name, valueOf(name, options[keyOf(name)])]);
  try {
    return await readServerFields(Object.fromEntries(given));
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const problems = error.details!.map(({ field, message }) => `--${optionOf(field)} ${message}`);
    throw new UsageError(problems.join('; '), { cause: error });
  }
}

/** As in JSON; text that is not a number is left for the DTO to refuse. */
function valueOf(name: string, value: unknown): unknown {
  const { type, nullable } = SERVER_FIELDS[name]!;
  if (nullable && value === 'none') return null;
  if (value instanceof Date) return value.toISOString();
  if (type === 'boolean') return value === 'yes';
  const text = String(value);
  return type === 'integer' && /^-?\d{1,10}$/.test(text) ? Number(text) : text;
}
