import { InvalidRequest } from '../../http/errors/http.errors.js';
import { LARGEST_INT, textProblem, wholeProblem } from '../../http/validation/field-rules.js';
import type { ZoneFields } from '../../zones/desk/zone-acts.js';
import { ZONE_STATUSES } from '../../zones/zone.entity.js';
import { TIME_RULES } from '../list.dto.js';

interface Column {
  field: keyof ZoneFields;
  orNull?: true;
  problem: (value: unknown) => string | undefined;
  read?: (value: never) => unknown;
}

const text = (max: number) => (value: unknown) => textProblem(value, { max });
const whole = (min: number, max: number) => (value: unknown) => wholeProblem(value, { min, max });
const trimmed = (value: string) => value.trim();
const port = whole(1, 65_535);

/** The columns of `server` that the desk may set, by their names in the table. Merges are an act of their own. */
const COLUMNS: Record<string, Column> = {
  id: { field: 'id', problem: whole(1, LARGEST_INT) },
  name: { field: 'name', problem: text(64), read: trimmed },
  address: { field: 'address', problem: text(255), read: trimmed },
  port: { field: 'port', problem: port },
  status: {
    field: 'status',
    problem: (value) =>
      ZONE_STATUSES.some((status) => status === value)
        ? undefined
        : `must be one of ${ZONE_STATUSES.join(', ')}`,
  },
  sort: { field: 'sort', problem: whole(-LARGEST_INT, LARGEST_INT) },
  open_at: {
    field: 'openAt',
    orNull: true,
    problem: (value) => textProblem(value, TIME_RULES),
    read: (value: string) => new Date(value),
  },
  gm_address: { field: 'gmAddress', orNull: true, problem: text(255), read: trimmed },
  gm_port: { field: 'gmPort', problem: port },
  gm_path: { field: 'gmPath', problem: text(255), read: trimmed },
  db_host: { field: 'dbHost', orNull: true, problem: text(255), read: trimmed },
  db_port: { field: 'dbPort', orNull: true, problem: port },
  zone_group: { field: 'group', orNull: true, problem: text(32), read: trimmed },
  recommended: {
    field: 'recommended',
    problem: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  },
};

/** What was typed into the form, each of exactly its type. A column that is not known is refused, not passed over. */
export function readZoneFields(given: unknown): ZoneFields {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new InvalidRequest([{ field: 'fields', message: 'must be an object' }]);
  const fields: Record<string, unknown> = {};
  const details = Object.entries(given).flatMap(([name, value]: [string, unknown]) => {
    const column = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined;
    const field = `fields.${name.slice(0, 64)}`;
    if (!column) return [{ field, message: 'is not known' }];
    const { orNull = false, problem, read = (same: unknown) => same } = column;
    const message = orNull && value === null ? undefined : problem(value);
    if (message !== undefined) return [{ field, message }];
    fields[column.field] = value === null ? null : read(value as never);
    return [];
  });
  if (details.length > 0) throw new InvalidRequest(details);
  return fields;
}
