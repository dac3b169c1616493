import { hash } from 'node:crypto';
import { readCommonPasswords } from '../../../features/accounts/password-rules.js';
import { legacyHashes, UNUSABLE_PASSWORD } from '../../../features/accounts/passwords.js';
import { MAX_NAME, trimAccountName } from '../../../platform/auth/account-name.js';
import { EMAIL_RULES, textProblem } from '../../../platform/http/validation/field.decorator.js';
import { charsetOf, type ImportMap, isIdHere } from './import-map.js';
import { decodeText, parseOldTime } from './old-values.js';

/** Larger ids are replaced, because they would leave too few ids for new registrations. */
export const MAX_KEPT_ID = 2_000_000_000;
const HASH = /^[0-9a-f]{32}$/;

export const BAN_END = 'ban end';

/** Tells an operator what is special about a row, and which rule a run follows. */
export interface Finding {
  /** The key is empty if the finding is not about a player. */
  key: string;
  name: string;
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

export interface OldPlayer extends Pick<OldRow, 'key' | 'sum'> {
  /** The id is missing if the old id cannot be kept. */
  id?: number;
  /** The name is spelled exactly as in the old database. */
  name: string;
  /** The account has no trailing spaces, because MySQL always ignored them. It is empty if no account can have the name. */
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
  findings: Finding[];
}

export interface OldBan {
  reason: string;
  /** Null means that the ban never ends. */
  until: Date | null;
  /** The old text is kept if it is not a valid time, in which case the end of the ban is unknown. */
  endText?: string;
}

export interface OldRowOptions {
  readonly map: ImportMap;
  /** Each value says how many minutes a time column is ahead of UTC. */
  readonly offsets: { registered: number; last_login: number };
  /** Maps a player's key to that player's ban in the separate ban table. */
  readonly bans: ReadonlyMap<string, OldBan>;
}

export function findingOf(
  { key, name }: Pick<Finding, 'key' | 'name'>,
  kind: string,
  detail: string,
  rule: string,
): Finding {
  return { key, name, class: kind, detail, rule };
}

export function toOldPlayer({ key, sum, columns }: OldRow, options: OldRowOptions): OldPlayer {
  const { map, offsets } = options;
  const { table, columns: named } = map.players;
  const charset = charsetOf(map, table, named.account);
  const decoded = decodeText(columns.account ?? Buffer.alloc(0), charset);
  const name = decoded?.text ?? '';
  const all: Finding[] = [];
  const note = (kind: string, detail: string, rule: string) =>
    all.push(findingOf({ key, name }, kind, detail, rule));
  const bytesRule = `on_bad_bytes: ${map.on_bad_bytes}`;
  if (decoded?.guesses)
    note('bytes', `not ${charset}, but ${decoded.guesses.join(', or ')}`, bytesRule);
  if (!decoded) note('bytes', `not ${charset}, nor anything else`, 'not moved');
  const trimmed = trimAccountName(name);
  const account = isUsableName(trimmed) ? trimmed : '';
  if (decoded && account === '')
    note('name', trimmed === '' ? 'empty' : 'longer than 64, or no text', 'not moved');
  const text = (column: keyof typeof named | 'banned') => {
    const bytes = columns[column];
    const from = column === 'banned' ? (map.players.banned?.column ?? null) : named[column];
    return bytes ? (decodeText(bytes, charsetOf(map, table, from))?.text ?? '').trim() : '';
  };
  const password = text('password').toLowerCase();
  const isHash = HASH.test(password);
  if (!isHash) note('hash', describeHash(password), `on_bad_hash: ${map.on_bad_hash}`);
  const address = text('email');
  // The service's own rule applies, because the service accepts no other address at a sign-in or reset.
  const email = textProblem(address, EMAIL_RULES) === undefined ? address.toLowerCase() : null;
  if (email === null && address !== '') note('mailbox', 'is not a mailbox', 'no mailbox');
  const createdAt = parseOldTime(text('registered'), offsets.registered, map.date_order);
  if (!createdAt && map.players.columns.registered)
    note('time', `registration time ${text('registered')}`, 'the time of the move');
  const id = toId(text('id'), {}, MAX_KEPT_ID);
  if (id === undefined && map.players.columns.id)
    note('another id', `${text('id')} is not from 1 to ${MAX_KEPT_ID}`, 'gets a new one');
  if (account !== '' && name !== account)
    note('spaces at the end', 'of the name', 'the player signs in with or without them');
  const isBanned = map.players.banned?.values.map(String).includes(text('banned'));
  const byColumn = columns.banned && isBanned ? { reason: map.ban_reason, until: null } : null;
  const ban = longerBan(options.bans.get(key), byColumn);
  if (ban?.endText !== undefined)
    note(BAN_END, `${ban.endText} is not a valid time`, 'banned permanently');
  return {
    key,
    sum,
    id,
    name,
    account,
    password: isHash ? password : UNUSABLE_PASSWORD,
    email,
    createdAt,
    lastLogin: parseOldTime(text('last_login'), offsets.last_login, map.date_order),
    serverId: toId(text('last_server'), map.servers?.renumber) ?? null,
    agentId: toId(text('promoter'), map.promoters?.renumber) ?? null,
    ip: truncate(text('ip'), 45) || null,
    device: truncate(text('device'), 64) || null,
    os: truncate(text('os'), 64) || null,
    browse: truncate(text('browse'), 64) || null,
    ban,
    findings: all,
  };
}

function isUsableName(account: string): boolean {
  const fits = account.length <= MAX_NAME || Array.from(account).length <= MAX_NAME;
  return fits && !account.includes('\0') && account.isWellFormed();
}

function describeHash(password: string): string {
  if (password === '') return 'no hash';
  return /^[0-9a-f]{16}$/.test(password) ? 'a hash of 16 digits' : 'no hash of 32 digits';
}

export function toId(text: string, renumber: Record<string, number> = {}, most?: number) {
  const id = renumber[text] ?? (/^\d{1,10}$/.test(text) ? Number(text) : 0);
  return isIdHere(id, most) ? id : undefined;
}

export function truncate(text: string, length: number): string {
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}

/** Prefers a permanent ban, then one without a readable end. Of two equal bans, the first one stays. */
export function longerBan(one: OldBan | undefined, other: OldBan | null): OldBan | null {
  const rank = ({ until, endText }: OldBan) =>
    until?.getTime() ?? (endText === undefined ? Infinity : Number.MAX_VALUE);
  return one && !(other && rank(other) > rank(one)) ? one : other;
}

/** Maps each hash that the password may have in the old table to its hash format. */
export function hashForms(password: string, key: string): Map<string, string> {
  const others = Object.entries(legacyHashes(password, key)).map(
    ([form, digest]): [string, string] => [digest, form],
  );
  return new Map([...others.toReversed(), [hash('md5', password + key), 'keyed']]);
}

/** Maps hashes of common passwords to their formats. Players who use one show how the old service hashed passwords. */
export function commonHashes(key: string): Map<string, string> {
  return new Map(readCommonPasswords().flatMap((password) => [...hashForms(password, key)]));
}
