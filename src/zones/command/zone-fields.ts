import type { Arguments } from '../../command/arguments.js';
import { UsageError } from '../../command/command.js';
import type { ZoneFields } from '../desk/zone-acts.js';
import { ZONE_STATUSES, type ZoneStatus } from '../zone.entity.js';

const TEXTS = { name: 'name', address: 'address', 'gm-path': 'gmPath' } as const;
const TEXTS_OR_NONE = { 'gm-address': 'gmAddress', 'db-host': 'dbHost', group: 'group' } as const;
const NUMBERS = { id: 'id', port: 'port', sort: 'sort', 'gm-port': 'gmPort' } as const;
const NUMBERS_OR_NONE = { 'db-port': 'dbPort' } as const;

export const FIELD_OPTIONS = [
  ...[TEXTS, TEXTS_OR_NONE, NUMBERS, NUMBERS_OR_NONE].flatMap((group) => Object.keys(group)),
  'status',
  'open-at',
  'recommended',
];

/** The columns that the options name. */
export function fieldsOf(texts: Arguments['texts']): ZoneFields {
  const fields: Record<string, unknown> = {};
  const take = (group: Record<string, string>, read: (text: string, option: string) => unknown) => {
    for (const [option, field] of Object.entries(group)) {
      const text = texts[option];
      if (text !== undefined) fields[field] = read(text, option);
    }
  };
  const orNone =
    (read: (text: string, option: string) => unknown) => (text: string, option: string) =>
      text === 'none' ? null : read(text, option);
  take(TEXTS, (text) => text.trim());
  take(
    TEXTS_OR_NONE,
    orNone((text) => text.trim()),
  );
  take(NUMBERS, numberOf);
  take(NUMBERS_OR_NONE, orNone(numberOf));
  if (texts.status !== undefined) fields.status = statusOf(texts.status);
  if (texts.recommended !== undefined) fields.recommended = yesOrNo(texts.recommended);
  const opens = texts['open-at'];
  if (opens !== undefined) fields.openAt = opens === 'none' ? null : timeOf(opens, 'open-at');
  return fields;
}

/** Times on a terminal are UTC. */
export function timeOf(text: string, option: string): Date {
  const isTime = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/.test(text);
  const time = new Date(`${text.replace(' ', 'T')}Z`);
  if (!isTime || Number.isNaN(time.getTime()))
    throw new UsageError(`--${option} is a time such as "2026-12-01 10:00" (UTC)`);
  return time;
}

function numberOf(text: string, option: string): number {
  if (!/^-?\d{1,10}$/.test(text)) throw new UsageError(`--${option} is a number`);
  return Number(text);
}

function yesOrNo(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new UsageError('--recommended is yes or no');
  return text === 'yes';
}

function statusOf(text: string): ZoneStatus {
  if (!ZONE_STATUSES.includes(text as ZoneStatus))
    throw new UsageError(`--status is one of ${ZONE_STATUSES.join(', ')}`);
  return text as ZoneStatus;
}
