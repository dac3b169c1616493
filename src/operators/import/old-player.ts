import type { ImportMap } from './import-map.js';
import type { Note } from './import-report.js';
import { decodeText } from './old-text.js';
import { parseOldTime } from './old-time.js';

const MAX_NAME = 64;
const MAX_INT = 2_147_483_647;
/** A larger id would leave too few for new registrations. */
export const MAX_KEPT_ID = 2_000_000_000;
const HASH = /^[0-9a-f]{32}$/;
/** The same as for an account from the forum: as long as a hash, but equal to none. */
export const NO_PASSWORD = '!'.repeat(32);

/** One row as the old database returned it: bytes, or null. */
export interface OldRow {
  key: string;
  /** CRC32 of the whole row. */
  sum: number;
  columns: Record<string, Buffer | null>;
}

/** A player of the previous generation, in our terms. */
export interface OldPlayer {
  key: string;
  sum: number;
  /** Undefined if the old id cannot be kept. */
  id?: number;
  /** Exactly as the old database has it. */
  name: string;
  /** Without trailing spaces, which MySQL always ignored. */
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
  /** The ban that is in force. */
  ban: OldBan | null;
  notes: Note[];
  /** Cannot be imported at all. */
  isSkipped: boolean;
}

export interface OldBan {
  reason: string;
  /** Null: for good. */
  until: Date | null;
}

export interface OldRowOptions {
  map: ImportMap;
  /** How many minutes each time column is ahead of UTC. */
  offsets: { registered: number; last_login: number };
  /** From the table of bans, by the player's key. */
  bans: ReadonlyMap<string, OldBan>;
}

export function toOldPlayer({ key, sum, columns }: OldRow, options: OldRowOptions): OldPlayer {
  const { map, offsets } = options;
  const notes: Note[] = [];
  const note = (kind: string, detail: string, rule: string) =>
    notes.push({ class: kind, detail, rule });
  const decoded = decodeText(columns.account ?? Buffer.alloc(0), map.charset);
  const bytesRule = `on_bad_bytes: ${map.on_bad_bytes}`;
  if (decoded?.looksLike)
    note('bytes', `not ${map.charset}, looks like ${decoded.looksLike}`, bytesRule);
  if (!decoded) note('bytes', `not ${map.charset}, nor anything else`, 'not moved');
  const name = decoded?.text ?? '';
  const account = name.replace(/ +$/, '');
  const usable = isUsable(account);
  if (decoded && !usable)
    note('name', account === '' ? 'empty' : 'longer than 64, or no text', 'not moved');
  const text = (column: string) => {
    const bytes = columns[column];
    return bytes ? (decodeText(bytes, map.charset)?.text ?? '').trim() : '';
  };
  const password = text('password').toLowerCase();
  const isHash = HASH.test(password);
  if (!isHash) note('hash', describeHash(password), `on_bad_hash: ${map.on_bad_hash}`);
  const address = text('email');
  const email = toMailbox(address);
  if (email === null && address !== '') note('mailbox', 'is no mailbox', 'no mailbox');
  const createdAt = parseOldTime(text('registered'), offsets.registered);
  if (!createdAt && map.players.columns.registered)
    note('time', `registration time ${text('registered')}`, 'the time of the move');
  const id = toId(text('id'), MAX_KEPT_ID);
  if (id === undefined && map.players.columns.id)
    note('another id', `${text('id')} is not from 1 to ${MAX_KEPT_ID}`, 'gets a new one');
  if (usable && name !== account)
    note('spaces at the end', 'of the name', 'found with and without them');
  const badBytes = !decoded || (decoded.looksLike && map.on_bad_bytes === 'leave_behind');
  const isSkipped = !usable || Boolean(badBytes) || (!isHash && map.on_bad_hash === 'leave_behind');
  return {
    key,
    sum,
    id,
    name,
    account,
    password: isHash ? password : NO_PASSWORD,
    email,
    createdAt,
    lastLogin: parseOldTime(text('last_login'), offsets.last_login),
    serverId: toId(text('last_server'), MAX_INT, map.servers?.renumber) ?? null,
    agentId: toId(text('promoter'), MAX_INT, map.promoters?.renumber) ?? null,
    ip: truncate(text('ip'), 45),
    device: truncate(text('device'), 64),
    os: truncate(text('os'), 64),
    browse: truncate(text('browse'), 64),
    ban: options.bans.get(key) ?? bannedByColumn(text('banned'), columns.banned, map),
    notes: isSkipped ? [toSkippedNote(notes)] : notes,
    isSkipped,
  };
}

function toSkippedNote(notes: Note[]): Note {
  const detail = notes.map((each) => `${each.class}: ${each.detail}`).join('; ');
  return { class: 'not moved', detail, rule: 'mend the old row' };
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

export function isIdHere(value: unknown, most = MAX_INT): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
}

/** The new id for an old one; undefined if it cannot be an id here. */
export function toId(
  text: string,
  most = MAX_INT,
  renumber: Record<string, number> = {},
): number | undefined {
  const id = renumber[text] ?? (/^\d{1,10}$/.test(text) ? Number(text) : 0);
  return isIdHere(id, most) ? id : undefined;
}

function truncate(text: string, length: number): string | null {
  if (text === '') return null;
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}

function bannedByColumn(
  text: string,
  given: Buffer | null | undefined,
  { players, ban_reason: reason }: ImportMap,
): OldBan | null {
  const isBanned = given && players.banned?.values.some((value) => String(value) === text);
  return isBanned ? { reason, until: null } : null;
}
