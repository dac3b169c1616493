import { hash } from 'node:crypto';
import { readCommonPasswords } from '../../../features/accounts/password-rules.js';
import { legacyHashes } from '../../../features/accounts/passwords.js';
import { EMAIL_RULES, textProblem } from '../../../platform/http/validation/field.decorator.js';
import { charsetOf, type ImportMap, isIdHere } from './import-map.js';
import { decodeText, parseOldTime } from './old-values.js';

const MAX_NAME = 64;
/** Larger ids are replaced, because they would leave too few ids for new registrations. */
export const MAX_KEPT_ID = 2_000_000_000;
const HASH = /^[0-9a-f]{32}$/;
/** Marks an account without a password, as for forum accounts. The text is as long as a hash but matches none. */
export const NO_PASSWORD = '!'.repeat(32);

export const NOT_MOVED = 'not moved';
export const BAN_END = 'ban end';

/** Tells an operator what is special about a row, and which rule a run follows. */
export interface Note {
  class: string;
  detail: string;
  rule: string;
}

/** Holds a row of the old player table as bytes. */
export interface OldRow {
  key: string;
  /** The CRC32 of all columns shows whether the row has changed. */
  sum: number;
  columns: Record<string, Buffer | null>;
}

export interface OldPlayer {
  key: string;
  sum: number;
  /** The id is missing if the old id cannot be kept. */
  id?: number;
  /** The name is spelled exactly as in the old database. */
  name: string;
  /** The account has no trailing spaces, because MySQL always ignored them. */
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
  /** The ban is null unless it is in force. */
  ban: OldBan | null;
  notes: Note[];
  isSkipped: boolean;
}

export interface OldBan {
  reason: string;
  /** Null means that the ban never ends. */
  until: Date | null;
  /** Holds the old text if it is not a valid time, in which case the end of the ban is unknown. */
  endText?: string;
}

export interface OldRowOptions {
  map: ImportMap;
  /** Each value says how many minutes a time column is ahead of UTC. */
  offsets: { registered: number; last_login: number };
  /** Maps a player's key to that player's ban in the separate ban table. */
  bans: ReadonlyMap<string, OldBan>;
}

export function toOldPlayer({ key, sum, columns }: OldRow, options: OldRowOptions): OldPlayer {
  const { map, offsets } = options;
  const notes: Note[] = [];
  const note = (kind: string, detail: string, rule: string) =>
    notes.push({ class: kind, detail, rule });
  const { table, columns: named } = map.players;
  const charset = charsetOf(map, table, named.account);
  const decoded = decodeText(columns.account ?? Buffer.alloc(0), charset);
  const bytesRule = `on_bad_bytes: ${map.on_bad_bytes}`;
  if (decoded?.guesses)
    note('bytes', `not ${charset}, but ${decoded.guesses.join(', or ')}`, bytesRule);
  if (!decoded) note('bytes', `not ${charset}, nor anything else`, 'not moved');
  const name = decoded?.text ?? '';
  const account = name.replace(/ +$/, '');
  const usable = isUsable(account);
  if (decoded && !usable)
    note('name', account === '' ? 'empty' : 'longer than 64, or no text', 'not moved');
  const text = (column: keyof typeof named | 'banned') => {
    const bytes = columns[column];
    const from = column === 'banned' ? (map.players.banned?.column ?? null) : named[column];
    return bytes ? (decodeText(bytes, charsetOf(map, table, from))?.text ?? '').trim() : '';
  };
  const password = text('password').toLowerCase();
  const isHash = HASH.test(password);
  if (!isHash) note('hash', describeHash(password), `on_bad_hash: ${map.on_bad_hash}`);
  const address = text('email');
  const email = toMailbox(address);
  if (email === null && address !== '') note('mailbox', 'is no mailbox', 'no mailbox');
  const createdAt = parseOldTime(text('registered'), offsets.registered, map.date_order);
  if (!createdAt && map.players.columns.registered)
    note('time', `registration time ${text('registered')}`, 'the time of the move');
  const id = toId(text('id'), {}, MAX_KEPT_ID);
  if (id === undefined && map.players.columns.id)
    note('another id', `${text('id')} is not from 1 to ${MAX_KEPT_ID}`, 'gets a new one');
  if (usable && name !== account)
    note('spaces at the end', 'of the name', 'found with and without them');
  const ban = longerBan(options.bans.get(key), bannedByColumn(text('banned'), columns.banned, map));
  notes.push(...banNotes(ban));
  const badBytes = !decoded || (decoded.guesses && map.on_bad_bytes === 'leave_behind');
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
    lastLogin: parseOldTime(text('last_login'), offsets.last_login, map.date_order),
    serverId: toId(text('last_server'), map.servers?.renumber) ?? null,
    agentId: toId(text('promoter'), map.promoters?.renumber) ?? null,
    ip: truncate(text('ip'), 45),
    device: truncate(text('device'), 64),
    os: truncate(text('os'), 64),
    browse: truncate(text('browse'), 64),
    ban,
    notes: isSkipped ? [toSkippedNote(notes)] : notes,
    isSkipped,
  };
}

function toSkippedNote(notes: Note[]): Note {
  const detail = notes.map((each) => `${each.class}: ${each.detail}`).join('; ');
  return { class: NOT_MOVED, detail, rule: 'mend the old row' };
}

function isUsable(account: string): boolean {
  const fits = account.length <= MAX_NAME || Array.from(account).length <= MAX_NAME;
  return account !== '' && fits && !account.includes('\0') && account.isWellFormed();
}

function describeHash(password: string): string {
  if (password === '') return 'no hash';
  return /^[0-9a-f]{16}$/.test(password) ? 'a hash of 16 digits' : 'no hash of 32 digits';
}

/** Uses the service's rule, because nobody could sign in or reset a password with another address. */
function toMailbox(text: string): string | null {
  return textProblem(text, EMAIL_RULES) === undefined ? text.toLowerCase() : null;
}

export function toId(
  text: string,
  renumber: Record<string, number> = {},
  most?: number,
): number | undefined {
  const id = renumber[text] ?? (/^\d{1,10}$/.test(text) ? Number(text) : 0);
  return isIdHere(id, most) ? id : undefined;
}

function truncate(text: string, length: number): string | null {
  if (text === '') return null;
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}

export function banNotes(ban: OldBan | null): Note[] {
  if (ban?.endText === undefined) return [];
  return [
    { class: BAN_END, detail: `${ban.endText} is not a valid time`, rule: 'banned for ever' },
  ];
}

/** Prefers a permanent ban, then one without a readable end. Of two equal bans, the first one stays. */
export function longerBan(one: OldBan | undefined, other: OldBan | null): OldBan | null {
  const rank = ({ until, endText }: OldBan) =>
    until?.getTime() ?? (endText === undefined ? Infinity : Number.MAX_VALUE);
  return one && !(other && rank(other) > rank(one)) ? one : other;
}

function bannedByColumn(
  text: string,
  given: Buffer | null | undefined,
  { players, ban_reason: reason }: ImportMap,
): OldBan | null {
  const isBanned = given && players.banned?.values.some((value) => String(value) === text);
  return isBanned ? { reason, until: null } : null;
}

/** Returns the form of each hash that the password may have in the old table. */
export function hashForms(password: string, key: string): Map<string, string> {
  const others = Object.entries(legacyHashes(password, key)).map(
    ([form, digest]): [string, string] => [digest, form],
  );
  return new Map([...others.toReversed(), [hash('md5', password + key), 'keyed']]);
}

/** Many players use one of these passwords, which shows how the old service hashed passwords. */
export function commonHashes(key: string): Map<string, string> {
  return new Map(readCommonPasswords().flatMap((password) => [...hashForms(password, key)]));
}
