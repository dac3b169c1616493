import type { ServerRow } from '../api/answers';
import { toIso, toLocal } from '../parts/since';

/** Each column has an input type. An empty `optional` field is stored as NULL. */
export const FIELDS = {
  name: { kind: 'text' },
  address: { kind: 'text' },
  port: { kind: 'number' },
  status: { kind: 'status' },
  open_at: { kind: 'time', optional: true },
  zone_group: { kind: 'text', optional: true },
  sort: { kind: 'number' },
  recommended: { kind: 'tick' },
  gm_address: { kind: 'text', optional: true },
  gm_port: { kind: 'number' },
  gm_path: { kind: 'text' },
  db_host: { kind: 'text', optional: true },
  db_port: { kind: 'number', optional: true },
} as const satisfies Partial<Record<keyof ServerRow, { kind: string; optional?: boolean }>>;

export type ServerField = keyof typeof FIELDS;
export type ServerForm = Record<Exclude<ServerField, 'recommended'>, string> & {
  recommended: boolean;
};
export const FIELD_NAMES = Object.keys(FIELDS) as ServerField[];

const NEW: Partial<ServerRow> = { status: 'maintenance', gm_port: 8080, gm_path: '/gm' };

export function toForm(row: ServerRow | null): ServerForm {
  const from: Partial<ServerRow> = row ?? NEW;
  const text = (name: ServerField) => {
    const value = from[name];
    if (FIELDS[name].kind === 'time') return toLocal(typeof value === 'string' ? value : null);
    return value === null || value === undefined ? '' : String(value);
  };
  const texts = FIELD_NAMES.map((name) => [name, text(name)]);
  return { ...Object.fromEntries(texts), recommended: from.recommended ?? false } as ServerForm;
}

/** Returns only the changed fields, so that a colleague's edit of another field is kept. */
export function changesIn(form: ServerForm, row: ServerRow | null): Record<string, unknown> {
  const before = toForm(row);
  const changed = FIELD_NAMES.filter((name) =>
    row ? form[name] !== before[name] : form[name] !== '',
  );
  return Object.fromEntries(changed.map((name) => [name, valueOf(name, form[name])]));
}

function valueOf(name: ServerField, given: string | boolean): unknown {
  if (typeof given === 'boolean') return given;
  const text = given.trim();
  const { kind } = FIELDS[name];
  if (text === '' && 'optional' in FIELDS[name]) return null;
  if (kind === 'time') return toIso(text) ?? null;
  // Sends text that is not a number as typed, so that the service rejects it.
  return kind === 'number' && /^-?\d+$/.test(text) ? Number(text) : text;
}
