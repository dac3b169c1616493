import type { ImportMap } from './import-map.js';
import { decodeText } from './old-text.js';
import { parseOldTime } from './old-time.js';

const MAX_NAME = 64;
const MAX_INT = 2_147_483_647;
const HASH = /^[0-9a-f]{32}$/;
/** As an account of the forum has it: as long as a hash, and equal to none. */
export const NO_PASSWORD = '!'.repeat(32);

/** What is wrong with an old row, by class. */
export type OldRowIssue = 'hash' | 'bytes' | 'name' | 'mailbox' | 'time';

/** One row as the old database gave it: bytes, or null. */
export interface OldRow {
  key: Buffer;
  /** CRC32 of the whole row. */
  sum: number;
  columns: Record<string, Buffer | null>;
}

/** A player of the previous generation, in our terms. */
export interface OldPlayer {
  key: Buffer;
  sum: number;
  /** Undefined where the old id does not fit ours. */
  id?: number;
  /** Exactly as the old database has it. */
  name: string;
  /** Without the spaces at its end, which MySQL never told apart. */
  account: string;
  password: string;
  email: string | null;
  createdAt: Date | null;
  lastLogin: Date | null;
  serverId: number | null;
  agentId: number | null;
  ip: string | null;
  device: string | null;
  os: string | null;
  browse: string | null;
  banned: boolean;
  issues: Array<{ trouble: OldRowIssue; detail: string }>;
  /** Cannot be moved at all. */
  isSkipped: boolean;
}

export interface OldRowOptions {
  map: ImportMap;
  /** Minutes of each time column ahead of UTC. */
  offsets: { registered: number; last_login: number };
  banned: ReadonlySet<string>;
}

export function toOldPlayer({ key, sum, columns }: OldRow, options: OldRowOptions): OldPlayer {
  const { map, offsets } = options;
  const issues: OldPlayer['issues'] = [];
  const decoded = decodeText(columns.account ?? Buffer.alloc(0), map.charset);
  if (decoded?.looksLike)
    issues.push({
      trouble: 'bytes',
      detail: `not ${map.charset}, looks like ${decoded.looksLike}`,
    });
  if (!decoded) issues.push({ trouble: 'bytes', detail: `not ${map.charset}, nor anything else` });
  const name = decoded?.text ?? '';
  const account = name.replace(/ +$/, '');
  const usable = isUsable(account);
  if (decoded && !usable)
    issues.push({ trouble: 'name', detail: account === '' ? 'empty' : 'longer than 64' });
  const text = (column: string) => {
    const bytes = columns[column];
    return bytes ? (decodeText(bytes, map.charset)?.text ?? '').trim() : '';
  };
  const password = text('password').toLowerCase();
  const isHash = HASH.test(password);
  if (!isHash) issues.push({ trouble: 'hash', detail: describeHash(password) });
  const address = text('email');
  const email = toMailbox(address);
  if (email === null && address !== '')
    issues.push({ trouble: 'mailbox', detail: 'is no mailbox and is dropped' });
  const createdAt = parseOldTime(text('registered'), offsets.registered);
  if (!createdAt && map.players.columns.registered)
    issues.push({ trouble: 'time', detail: `registration time ${text('registered')}` });
  const badBytes = !decoded || (decoded.looksLike && map.on_bad_bytes === 'leave_behind');
  return {
    key,
    sum,
    id: toId(text('id')),
    name,
    account,
    password: isHash ? password : NO_PASSWORD,
    email,
    createdAt,
    lastLogin: parseOldTime(text('last_login'), offsets.last_login),
    serverId: toId(text('last_server')) ?? null,
    agentId: toId(text('promoter')) ?? null,
    ip: truncate(text('ip'), 45),
    device: truncate(text('device'), 64),
    os: truncate(text('os'), 64),
    browse: truncate(text('browse'), 64),
    banned: isBanned(text('banned'), columns.banned, map) || isIn(options.banned, key),
    issues,
    isSkipped: !usable || Boolean(badBytes) || (!isHash && map.on_bad_hash === 'leave_behind'),
  };
}

function isIn(keys: ReadonlySet<string>, key: Buffer): boolean {
  return keys.size > 0 && keys.has(key.toString('hex'));
}

function isUsable(account: string): boolean {
  const fits = account.length <= MAX_NAME || Array.from(account).length <= MAX_NAME;
  return account !== '' && fits && !account.includes('\0') && account.isWellFormed();
}

function describeHash(password: string): string {
  if (password === '') return 'no hash';
  return /^[0-9a-f]{16}$/.test(password) ? 'a hash of 16 digits' : 'no hash of 32 digits';
}

function toMailbox(text: string): string | null {
  const email = text.toLowerCase();
  return /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254 ? email : null;
}

function toId(text: string): number | undefined {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return id > 0 && id <= MAX_INT ? id : undefined;
}

function truncate(text: string, length: number): string | null {
  if (text === '') return null;
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}

function isBanned(text: string, given: Buffer | null | undefined, { players }: ImportMap) {
  return (
    Boolean(given) && (players.banned?.values.some((value) => String(value) === text) ?? false)
  );
}
