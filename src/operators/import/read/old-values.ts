import { TextDecoder } from 'node:util';

/** If the bytes do not match the declared character set, these are tried in this order. */
const GUESSES = ['utf-8', 'gbk', 'big5', 'windows-1252'];
const CJK = /[\u3000-\u9fff]/;
const ASCII = /^[\0-\x7f]*$/;
/** Maps MySQL's character set names to the labels that TextDecoder knows. */
const LABELS: Record<string, string> = {
  utf8: 'utf-8',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  latin1: 'windows-1252',
  gb2312: 'gbk',
};

const DATE =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]+(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d+)?)?)?\s*(Z|[+-]\d\d:\d\d)?$/;
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?$/;
/** Matches a date whose order only the map can tell. */
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/;
/** Matches an empty text, `0` and `0000-00-00 00:00:00`, which mean that there is no time. */
const NO_TIME = /^[0:. -]*$/;
const EARLIEST = Date.UTC(1980, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

const decoders = new Map<string, TextDecoder>();

/** Ignores trailing spaces and the case of ASCII letters, as the service does when it compares names in the game. */
export function foldName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/ +$/, '');
}

interface DecodedText {
  text: string;
  /** If the bytes do not match the declared character set, this names the one that they match. */
  looksLike?: string;
}

export function isKnownCharset(charset: string): boolean {
  try {
    decoderOf(charset);
    return true;
  } catch {
    return false;
  }
}

/** Returns undefined if the bytes are not text in any known character set. */
export function decodeText(bytes: Buffer, charset: string): DecodedText | undefined {
  const ascii = bytes.toString('latin1');
  if (ASCII.test(ascii)) return { text: ascii };
  const isChinese = /^gb/i.test(charset);
  const utf8 = isChinese && !isPlainChinese(bytes) ? tryDecode(bytes, 'utf-8') : undefined;
  if (utf8 !== undefined && CJK.test(utf8)) return { text: utf8, looksLike: 'utf-8' };
  const text = tryDecode(bytes, charset);
  if (text !== undefined) return { text };
  for (const looksLike of GUESSES) {
    const guessed = tryDecode(bytes, looksLike);
    if (guessed !== undefined) return { text: guessed, looksLike };
  }
  return undefined;
}

/** Returns whether all bytes are GB2312. Most UTF-8 text is also valid GBK, but never pure GB2312. */
function isPlainChinese(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at]!;
    if (lead < 0x80) continue;
    const trail = bytes[++at] ?? 0;
    if (lead < 0xb0 || lead > 0xf7 || trail < 0xa1) return false;
  }
  return true;
}

function tryDecode(bytes: Buffer, charset: string): string | undefined {
  try {
    const text = decoderOf(charset).decode(bytes);
    // Control characters of windows-1252 show that the text is in another character set.
    return /[\u0080-\u009f\ufffd]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function decoderOf(charset: string): TextDecoder {
  const known = decoders.get(charset);
  if (known) return known;
  const label = LABELS[charset.toLowerCase()] ?? charset;
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  decoders.set(charset, decoder);
  return decoder;
}

export type DateOrder = 'ymd' | 'dmy' | 'mdy';

/** Returns null if the text contains no plausible time. `offset` says how many minutes the old clock was ahead of UTC. */
export function parseOldTime(text: string, offset: number, order?: DateOrder): Date | null {
  const time = parseTime(text.trim(), offset, order);
  return time !== undefined && time >= EARLIEST && time < LATEST ? new Date(time) : null;
}

/** Returns null if the ban never ends, and undefined if the text is not a valid time. */
export function parseBanEnd(
  text: string,
  offset: number,
  order?: DateOrder,
): Date | null | undefined {
  if (NO_TIME.test(text)) return null;
  const time = parseTime(text.trim(), offset, order);
  if (time === undefined || time < EARLIEST) return undefined;
  return time < LATEST ? new Date(time) : null;
}

/** Parses unix seconds, milliseconds, and dates with or without a time and a time zone. */
function parseTime(text: string, offset: number, order: DateOrder = 'ymd'): number | undefined {
  if (/^\d{9,10}(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (/^\d{12,13}$/.test(text)) return Number(text);
  const yearFirst = order === 'dmy' ? '$4-$3-$1' : order === 'mdy' ? '$4-$1-$3' : '$&';
  const parts = COMPACT.exec(text) ?? DATE.exec(text.replace(YEAR_LAST, yearFirst));
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  // A day such as the 31st of February would become another one.
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
  if (month < 1 || month > 12 || !isDay || hour > 23 || minute > 59) return undefined;
  const [, , , , , , , zone] = parts;
  const shift = zone === 'Z' ? 0 : zone ? offsetMinutes(zone) : offset;
  return Date.UTC(year, month - 1, day, hour, minute, second) - shift * 60_000;
}

export function offsetMinutes(timezone: string): number {
  const [hours = 0, minutes = 0] = timezone.slice(1).split(':').map(Number);
  return (timezone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
