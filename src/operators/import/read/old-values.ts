import { TextDecoder } from 'node:util';
import { decode } from 'iconv-lite';

/** This name means UTF-8 that was read as latin1 and encoded again, which turns `é` into `Ã©`. */
const TWICE = 'utf8-twice';
const CJK = /[\u3000-\u9fff]/;
const ASCII = /^[\0-\x7f]*$/;
/** Control characters of windows-1252 show that the text is in another character set. */
const NO_TEXT = /[\u0080-\u009f\ufffd]/;
/** Private-use characters have no standard meaning, so no guess contains them. */
const PRIVATE = /[\ue000-\uf8ff]/;
/** These patterns match bytes that were read as latin1. Each Chinese character consists of two bytes. */
const GB2312 = /^(?:[\0-\x7f]|[\xb0-\xf7][\xa1-\xfe])*$/;
const COMMON_BIG5 = /^(?:[\0-\x7f]|[\xa4-\xc6][\x40-\x7e\xa1-\xfe])*$/;
const MAYBE_TWICE = /\xc3[\x82-\xb4]/;
const ADJACENT = /[\x80-\xff]{2}/;
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

type Decoder = { decode: (bytes: Buffer) => string };
/** Node.js 20 decodes this character set as ISO 8859-1, so iconv-lite decodes it. */
const WINDOWS_1252 = { decode: (bytes: Buffer) => decode(bytes, 'windows-1252') };
const decoders = new Map<string, Decoder>([
  [TWICE, { decode: decodeTwice }],
  ['windows-1252', WINDOWS_1252],
]);
/** The index of each letter is its byte. */
const LETTERS = WINDOWS_1252.decode(Buffer.from(Array.from({ length: 256 }, (_, at) => at)));

/** Ignores trailing spaces and the case of ASCII letters, as the service does when it compares names in the game. */
export function foldName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/ +$/, '');
}

interface DecodedText {
  text: string;
  /** If the bytes do not match the declared character set, these texts are possible, with the most likely one first. */
  guesses?: string[];
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
  const signs = bytes.toString('latin1');
  if (ASCII.test(signs)) return { text: signs };
  if (!isOther(bytes, signs, charset)) {
    const text = tryDecode(bytes, charset);
    if (text !== undefined) return { text };
  }
  const possible = likelyCharsets(signs).flatMap((other) => {
    const text = tryDecode(bytes, other);
    return text === undefined || PRIVATE.test(text) ? [] : [{ text, guess: `${other}: ${text}` }];
  });
  const [first] = possible;
  return first && { text: first.text, guesses: possible.map(({ guess }) => guess) };
}

/** Returns whether the bytes are valid in the declared character set, but almost certainly mean something else. */
function isOther(bytes: Buffer, signs: string, charset: string): boolean {
  const label = labelOf(charset);
  if (charset === TWICE) return false;
  if (MAYBE_TWICE.test(signs) && tryDecode(bytes, TWICE) !== undefined) return true;
  if (label === 'utf-8') return false;
  const utf8 = tryDecode(bytes, 'utf-8');
  if (utf8 === undefined || label === 'windows-1252') return utf8 !== undefined;
  // Most UTF-8 text is also valid GBK, but never pure GB2312.
  return CJK.test(utf8) && !GB2312.test(signs);
}

function likelyCharsets(signs: string): string[] {
  const others = ['gbk', 'big5', 'windows-1252'];
  // If no two non-ASCII bytes are adjacent, each one is probably an accented letter.
  if (!ADJACENT.test(signs)) others.unshift('windows-1252');
  else if (COMMON_BIG5.test(signs) && !GB2312.test(signs)) others.unshift('big5');
  return [...new Set([TWICE, 'utf-8', ...others])];
}

function tryDecode(bytes: Buffer, charset: string): string | undefined {
  try {
    const text = decoderOf(charset).decode(bytes);
    return NO_TEXT.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function decoderOf(charset: string): Decoder {
  const label = labelOf(charset);
  const known = decoders.get(label);
  if (known) return known;
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  decoders.set(label, decoder);
  return decoder;
}

function labelOf(charset: string): string {
  return LABELS[charset.toLowerCase()] ?? charset;
}

function decodeTwice(bytes: Buffer): string {
  const once = decoderOf('utf-8').decode(bytes);
  const inner = Array.from(once, (letter) =>
    letter <= '\xff' ? letter.charCodeAt(0) : LETTERS.indexOf(letter),
  );
  // U+FFFD replaces a letter whose bytes are lost, so it cannot be turned back into a byte.
  if (inner.includes(-1) || once.includes('\ufffd'))
    throw new TypeError('The text has letters that latin1 does not have.');
  const text = decoderOf('utf-8').decode(Buffer.from(inner));
  if (text === once) throw new TypeError('The text was encoded once.');
  return text;
}

export type DateOrder = 'ymd' | 'dmy' | 'mdy';

/** Returns null if the text contains no plausible time. `offset` says how many minutes the old clock was ahead of UTC. */
export function parseOldTime(text: string, offset: number, order?: DateOrder): Date | null {
  return parseBanEnd(text, offset, order) ?? null;
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
