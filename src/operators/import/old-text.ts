import { TextDecoder } from 'node:util';

/** The character sets to guess for bytes that are not in the claimed one, in this order. */
const GUESSES = ['utf-8', 'gbk', 'big5', 'windows-1252'];
const CJK = /[\u3000-\u9fff]/;
const ASCII = /^[\0-\x7f]*$/;
/** By their names in MySQL. */
const LABELS: Record<string, string> = {
  utf8: 'utf-8',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  latin1: 'windows-1252',
  gb2312: 'gbk',
};

const decoders = new Map<string, TextDecoder>();

export interface DecodedText {
  text: string;
  /** The character set that the bytes look like, if they are not in the claimed one. */
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

/** Undefined: the bytes are not text in any known character set. */
export function decodeText(bytes: Buffer, charset: string): DecodedText | undefined {
  const ascii = bytes.toString('latin1');
  if (ASCII.test(ascii)) return { text: ascii };
  const utf8 = isChinese(charset) && !isPlainChinese(bytes) ? tryDecode(bytes, 'utf-8') : undefined;
  if (utf8 !== undefined && CJK.test(utf8)) return { text: utf8, looksLike: 'utf-8' };
  const text = tryDecode(bytes, charset);
  if (text !== undefined) return { text };
  for (const looksLike of GUESSES) {
    const guessed = tryDecode(bytes, looksLike);
    if (guessed !== undefined) return { text: guessed, looksLike };
  }
  return undefined;
}

function isChinese(charset: string): boolean {
  return /^gb/i.test(charset);
}

/** Only characters of GB2312. Most UTF-8 is valid GBK too, but never with these characters only. */
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
    // Control characters, of windows-1252 or undefined: it was another character set.
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
